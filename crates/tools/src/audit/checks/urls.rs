use super::{
    super::{Evidence, Page, PageUrl, Severity, page::Html},
    Check, Code, Run,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::UrlUnderscore,
        severity: Severity::Notice,
        title: "Underscore in the URL",
        why: "Search engines read words joined by an underscore as one word, and underlined links hide it.",
        fix: "Use hyphens in new URLs. If you rename old ones, redirect them with status 301.",
        run: Run::Page(underscore),
    },
    Check {
        code: Code::UrlUppercase,
        severity: Severity::Notice,
        title: "Capital letters in the URL",
        why: "For most servers /Page and /page are different, so people who type the URL get an error or a duplicate.",
        fix: "Use lower case in new URLs. If you rename old ones, redirect them with status 301.",
        run: Run::Page(uppercase),
    },
];

fn underscore(page: &Page, _: &Html) -> Vec<Evidence> {
    on_path(page, |path| path.contains('_'), "an underscore in the URL", "hyphens between words")
}

fn uppercase(page: &Page, _: &Html) -> Vec<Evidence> {
    // The digits of percent escapes do not count.
    let has_uppercase = |path: &str| {
        let mut parts = path.split('%');
        let first = parts.next().unwrap_or_default();
        let contains_uppercase = |text: &str| text.bytes().any(|byte| byte.is_ascii_uppercase());
        contains_uppercase(first) || parts.any(|part| part.get(2..).is_some_and(contains_uppercase))
    };
    on_path(page, has_uppercase, "upper-case letters in the URL", "lower-case letters")
}

fn on_path(page: &Page, is_issue: impl Fn(&str) -> bool, found: &str, wanted: &str) -> Vec<Evidence> {
    let url = PageUrl::parse(&page.url).filter(|url| is_issue(url.path()));
    url.map(|url| Evidence::new(found, wanted).snippet(url.path())).into_iter().collect()
}
