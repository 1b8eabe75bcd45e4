//! The question whether somebody wants a brand's reports.

use askama::Template;

use super::{compose::Composed, words::one_line};

#[derive(Template)]
#[template(path = "confirm.html")]
struct Html<'a> {
    brand: &'a str,
    link: &'a str,
}

#[derive(Template)]
#[template(path = "confirm.txt")]
struct Text<'a> {
    brand: &'a str,
    link: &'a str,
}

/// Writes the question. `link` is where the answer is given.
pub(super) fn confirmation(brand: &str, link: &str) -> Composed {
    let brand = one_line(brand, 100);
    let html = Html { brand: &brand, link }.render().expect("writing to a string does not fail");
    let text = Text { brand: &brand, link }.render().expect("writing to a string does not fail");
    Composed {
        subject: format!("{brand}: do you want its reports by email?"),
        summary: format!("Confirm that you want {brand}’s reports."),
        html,
        text,
    }
}
