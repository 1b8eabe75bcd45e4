use super::{
    super::{
        Evidence, Page, Severity,
        page::{Html, Image},
    },
    Check, Code, Run, counted,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::ImageAltMissing,
        severity: Severity::Warning,
        why: "People who cannot see the picture hear its file name, and image search does not know what it shows.",
        fix: "Say in the alt attribute what the picture shows; alt=\"\" if it is decoration.",
        run: Run::Page(alt),
    },
    Check {
        code: Code::ImgNoDimensions,
        severity: Severity::Notice,
        why: "The text jumps when a picture arrives whose size the browser did not know.",
        fix: "Give width and height on the <img>, in pixels of the file; CSS may still scale it.",
        run: Run::Page(dimensions),
    },
];

fn alt(_: &Page, html: &Html) -> Vec<Evidence> {
    faulty(
        html,
        |image| image.alt.is_none() && !image.is_presentation,
        "without an alt attribute",
        "alt=\"…\" on each",
    )
}

fn dimensions(_: &Page, html: &Html) -> Vec<Evidence> {
    faulty(html, |image| !image.has_dimensions, "without width and height", "width and height on each")
}

/// One fault a page, since the pictures of a page are mended together.
fn faulty(html: &Html, is_faulty: fn(&Image) -> bool, what: &str, wanted: &str) -> Vec<Evidence> {
    let faulty: Vec<&Image> = html.images.iter().filter(|image| is_faulty(image)).collect();
    let Some(first) = faulty.first() else { return Vec::new() };
    let found = format!("{} of {} {what}", faulty.len(), counted(html.images.len(), "image"));
    let sources = faulty.iter().map(|image| &image.src);
    vec![Evidence::new(found, wanted).snippet(&format!("<img src=\"{}\">", first.src)).related(sources)]
}
