use super::{
    super::{Address, Evidence, Page, Severity, page::Html},
    Check, Code, Run,
};

pub(super) const CHECKS: &[Check] = &[
    Check {
        code: Code::UrlUnderscore,
        severity: Severity::Notice,
        why: "Search engines read words joined by an underscore as one, and underlining hides it in links.",
        fix: "Use hyphens in new addresses; redirect (301) if you rename old ones.",
        run: Run::Page(underscore),
    },
    Check {
        code: Code::UrlUppercase,
        severity: Severity::Notice,
        why: "To most servers /Page and /page are two pages, so people who type it find nothing, or a duplicate.",
        fix: "Use small letters in new addresses; redirect (301) if you rename old ones.",
        run: Run::Page(uppercase),
    },
];

fn underscore(page: &Page, _: &Html) -> Vec<Evidence> {
    on_path(page, |path| path.contains('_'), "an underscore in the address", "hyphens between words")
}

fn uppercase(page: &Page, _: &Html) -> Vec<Evidence> {
    // The digits of percent-escapes are no letters of the address.
    let has_capitals = |path: &str| {
        let mut parts = path.split('%');
        let first = parts.next().unwrap_or_default();
        let is_capital = |text: &str| text.bytes().any(|byte| byte.is_ascii_uppercase());
        is_capital(first) || parts.any(|part| part.get(2..).is_some_and(is_capital))
    };
    on_path(page, has_capitals, "capitals in the address", "small letters")
}

fn on_path(page: &Page, is_faulty: impl Fn(&str) -> bool, found: &str, wanted: &str) -> Vec<Evidence> {
    let address = Address::parse(&page.url);
    let faulty = address.filter(|address| is_faulty(address.path()));
    faulty.map(|address| Evidence::new(found, wanted).snippet(address.path())).into_iter().collect()
}
