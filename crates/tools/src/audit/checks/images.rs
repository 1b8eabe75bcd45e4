use super::{
    super::{
        Evidence, Page, Severity,
        page::{Html, Image},
    },
    Check, Code, Run, count_of,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::ImageAltMissing,
        severity: Severity::Warning,
        why: "Screen readers read the file name instead, and image search does not know what the image shows.",
        fix: "Describe the image in the alt attribute. Use alt=\"\" for decoration.",
        run: Run::Page(alt),
    },
    Check {
        code: Code::ImgNoDimensions,
        severity: Severity::Notice,
        why: "The text moves when an image without a known size loads.",
        fix: "Add the width and height of the file in pixels to the <img>. CSS can still scale it.",
        run: Run::Page(dimensions),
    },
];

fn alt(_: &Page, html: &Html) -> Vec<Evidence> {
    on_images(
        html,
        |image| image.alt.is_none() && !image.is_presentation,
        "without an alt attribute",
        "alt=\"…\" on each image",
    )
}

fn dimensions(_: &Page, html: &Html) -> Vec<Evidence> {
    on_images(
        html,
        |image| !image.has_dimensions,
        "without width and height",
        "width and height on each image",
    )
}

/// One issue for each page, because its images are fixed together.
fn on_images(html: &Html, is_issue: fn(&Image) -> bool, what: &str, wanted: &str) -> Vec<Evidence> {
    let affected: Vec<&Image> = html.images.iter().filter(|image| is_issue(image)).collect();
    let Some(first) = affected.first() else { return Vec::new() };
    let found = format!("{} of {} {what}", affected.len(), count_of(html.images.len(), "image"));
    let sources = affected.iter().map(|image| &image.src);
    vec![Evidence::new(found, wanted).snippet(&format!("<img src=\"{}\">", first.src)).related(sources)]
}
