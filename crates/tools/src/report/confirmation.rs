//! The email that asks a person to confirm that they want a brand's reports.

use askama::Template;

use super::{compose::ComposedEmail, format::one_line};

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

/// `link` leads to the page where the person confirms.
pub(super) fn confirmation(brand: &str, link: &str) -> ComposedEmail {
    let brand = one_line(brand, 100);
    let html = Html { brand: &brand, link }.render().expect("writing to a string does not fail");
    let text = Text { brand: &brand, link }.render().expect("writing to a string does not fail");
    ComposedEmail {
        subject: format!("{brand}: do you want its reports by email?"),
        summary: format!("Confirm that you want {brand}’s reports."),
        html,
        text,
    }
}
