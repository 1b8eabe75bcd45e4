use std::collections::{BTreeMap, HashMap};

use super::{
    super::{
        Evidence, Page, Severity, SiteGraph,
        page::{Html, Image},
    },
    Check, Code, Run, count_of,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::ImageAltMissing,
        severity: Severity::Warning,
        title: "Image without alternative text",
        why: "Screen readers read the file name instead, and image search does not know what the image shows.",
        fix: "Describe the image in the alt attribute. Use alt=\"\" for decoration.",
        run: Run::Page(alt),
    },
    Check {
        code: Code::ImageBroken,
        severity: Severity::Warning,
        title: "Broken image",
        why: "Visitors see an empty frame instead of the image, and image search removes it.",
        fix: "Restore the file, correct the address of the image, or remove the image.",
        run: Run::Pages(broken),
    },
    Check {
        code: Code::ImgNoDimensions,
        severity: Severity::Notice,
        title: "Image without width and height",
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

/// Only images of the site itself: the crawl does not request others.
fn broken(graph: &SiteGraph<'_>) -> Vec<(String, Evidence)> {
    let mut failures: HashMap<&str, Option<String>> = HashMap::new();
    let mut found = Vec::new();
    for (page, html) in graph.live_pages() {
        let images = html.images.iter().filter_map(|image| Some((image.url.as_deref()?, image)));
        // One of those with the same address.
        let images: BTreeMap<&str, &Image> = images.collect();
        for (url, image) in images {
            let failure = || graph.follow(url).end.failure().filter(|_| graph.is_own(url));
            if let Some(failure) = failures.entry(url).or_insert_with(failure) {
                let evidence =
                    Evidence::new(format!("the image does not load: {failure}"), "an image that loads");
                let snippet = format!("<img src=\"{}\">", image.src);
                found.push((page.url.clone(), evidence.snippet(&snippet).related([url]).key(url)));
            }
        }
    }
    found
}

/// One issue for each page, because its images are fixed together.
fn on_images(html: &Html, is_issue: fn(&Image) -> bool, what: &str, wanted: &str) -> Vec<Evidence> {
    let affected: Vec<&Image> = html.images.iter().filter(|image| is_issue(image)).collect();
    let Some(first) = affected.first() else { return Vec::new() };
    let found = format!("{} of {} {what}", affected.len(), count_of(html.images.len(), "image"));
    let sources = affected.iter().map(|image| &image.src);
    vec![Evidence::new(found, wanted).snippet(&format!("<img src=\"{}\">", first.src)).related(sources)]
}
