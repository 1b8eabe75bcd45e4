use super::{
    super::{Evidence, Page, Severity, page::Html},
    Check, Code, Run,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::JsonldInvalid,
        severity: Severity::Warning,
        title: "Invalid structured data",
        why: "Search engines and assistants ignore structured data that they cannot read, and do not show its \
              ratings, prices and dates.",
        fix: "Fix the JSON at the given place, and make sure that it has @context and @type.",
        run: Run::Page(invalid),
    },
    Check {
        code: Code::JsonldMissing,
        severity: Severity::Notice,
        title: "No structured data",
        why: "Structured data tells search engines and assistants what the page describes: a product, an event, a \
              business.",
        fix: "Add a <script type=\"application/ld+json\"> with the schema.org type that fits the page.",
        run: Run::SearchablePage(missing),
    },
];

fn invalid(_: &Page, html: &Html) -> Vec<Evidence> {
    let blocks = html.json_ld.iter().zip(1_u32..);
    let issues = blocks.filter_map(|(block, number)| {
        let found = format!("block {number}: {}", block.problem.as_ref()?);
        let evidence = Evidence::new(found, "JSON-LD with @context and @type").key(&number.to_string());
        Some(match &block.near {
            Some(near) => evidence.snippet(near),
            None => evidence,
        })
    });
    issues.collect()
}

fn missing(_: &Page, html: &Html) -> Vec<Evidence> {
    let evidence = || Evidence::new("no structured data", "JSON-LD with a schema.org type");
    (html.json_ld.is_empty() && !html.has_microdata).then(evidence).into_iter().collect()
}
