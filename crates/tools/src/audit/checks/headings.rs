use super::{
    super::{
        Evidence, Page, Severity,
        page::{Heading, Html},
    },
    Check, Code, Run, count_of,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::H1Missing,
        severity: Severity::Warning,
        title: "Missing main heading (h1)",
        why: "The first heading tells readers, screen readers and search engines what the page is about.",
        fix: "Mark the page's headline as <h1>.",
        run: Run::Page(missing),
    },
    Check {
        code: Code::H1Multiple,
        severity: Severity::Notice,
        title: "Several main headings (h1)",
        why: "With several main headings it is not clear what the page is about.",
        fix: "Keep one <h1> and make the others <h2>.",
        run: Run::Page(multiple),
    },
    Check {
        code: Code::HeadingOrder,
        severity: Severity::Warning,
        title: "Skipped heading level",
        why: "Screen reader users navigate by heading levels. A skipped level looks like missing text.",
        fix: "Use the next lower level, and change its appearance with CSS.",
        run: Run::Page(order),
    },
];

fn h1s(html: &Html) -> Vec<&Heading> {
    html.headings.iter().filter(|heading| heading.level == 1).collect()
}

fn missing(_: &Page, html: &Html) -> Vec<Evidence> {
    let h1s = h1s(html);
    let found = if h1s.is_empty() { "no <h1>" } else { "an empty <h1>" };
    let evidence = || Evidence::new(found, "one <h1> with the page's headline");
    h1s.iter().all(|heading| heading.text.is_empty()).then(evidence).into_iter().collect()
}

fn multiple(_: &Page, html: &Html) -> Vec<Evidence> {
    let texts: Vec<&str> = h1s(html).iter().map(|heading| heading.text.as_str()).collect();
    let evidence =
        || Evidence::new(count_of(texts.len(), "<h1> element"), "one <h1>").snippet(&texts.join(" · "));
    (texts.len() > 1).then(evidence).into_iter().collect()
}

fn order(_: &Page, html: &Html) -> Vec<Evidence> {
    let skips = html.headings.windows(2).filter(|pair| pair[1].level > pair[0].level + 1);
    let evidence = |pair: &[Heading]| {
        let (above, below) = (&pair[0], &pair[1]);
        Evidence::new(
            format!("an <h{}> after an <h{}>", below.level, above.level),
            format!("an <h{}>", above.level + 1),
        )
        .snippet(&format!(
            "<h{0}>{1}</h{0}> … <h{2}>{3}</h{2}>",
            above.level, above.text, below.level, below.text
        ))
    };
    // Later skips often result from the first one.
    skips.take(1).map(evidence).collect()
}
