use super::{
    super::{Evidence, Page, Severity, page::Html},
    Check, Code, Run,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::OgMissing,
        severity: Severity::Notice,
        why: "Shared in a network or a chat, the page shows without the picture and headline you would choose.",
        fix: "Add <meta property=\"og:…\"> for title, type, image and url.",
        run: Run::Shown(open_graph),
    },
    Check {
        code: Code::TwitterCardMissing,
        severity: Severity::Notice,
        why: "Shared on X, the page shows as a bare link.",
        fix: "Add <meta name=\"twitter:card\" content=\"summary_large_image\">.",
        run: Run::Shown(twitter),
    },
];

fn open_graph(_: &Page, html: &Html) -> Vec<Evidence> {
    // The four that the protocol requires.
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
