use super::{
    super::{Evidence, Page, Severity, page::Html},
    Check, Code, Run,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::OgMissing,
        severity: Severity::Notice,
        title: "No complete preview for social networks",
        why: "When people share the page, networks and chats show it without a picture and headline of your choice.",
        fix: "Add <meta property=\"og:…\"> for title, type, image and url.",
        run: Run::SearchablePage(open_graph),
    },
    Check {
        code: Code::TwitterCardMissing,
        severity: Severity::Notice,
        title: "No preview card for X",
        why: "When people share the page on X, it appears as a plain link.",
        fix: "Add <meta name=\"twitter:card\" content=\"summary_large_image\">.",
        run: Run::SearchablePage(twitter),
    },
];

fn open_graph(_: &Page, html: &Html) -> Vec<Evidence> {
    // The four properties that Open Graph requires.
    let required = ["og:title", "og:type", "og:image", "og:url"];
    let missing: Vec<&str> =
        required.into_iter().filter(|name| !html.open_graph.contains_key(*name)).collect();
    let evidence =
        || Evidence::new(format!("no {}", missing.join(", ")), "all of og:title, og:type, og:image, og:url");
    (!missing.is_empty()).then(evidence).into_iter().collect()
}

fn twitter(_: &Page, html: &Html) -> Vec<Evidence> {
    let evidence = || Evidence::new("no twitter:card", "<meta name=\"twitter:card\" content=\"…\">");
    (!html.twitter.contains_key("twitter:card")).then(evidence).into_iter().collect()
}
