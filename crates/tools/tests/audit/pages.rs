//! What an audit knows of the pages it visited.

use svc_mcp_tools::audit::{AuditedPage, examine, fetch::FetchError};

use crate::fake_web::{FakeWeb, Sample, sound};

fn page(web: &FakeWeb, path: &str) -> AuditedPage {
    let site = web.site();
    let pages = AuditedPage::all_of(&site, &examine(&site), None);
    pages.into_iter().find(|page| page.url == format!("https://brand.test{path}")).unwrap()
}

const GERMAN: &str = "Wir backen jeden Morgen frisches Brot und sind dafür in der ganzen Stadt bekannt. Unser Sauerteig \
    ruht vierundzwanzig Stunden, denn gutes Brot braucht seine Zeit. Besuchen Sie uns in der Altstadt.";

#[test]
fn page_has_its_text_figures_and_issues() {
    let web = sound()
        .page("/", Sample::new("home").links(&["/about", "/brot", "/old", "/slow", "/gone"]))
        .page("/brot", Sample::new("brot").set(|page| page.text = GERMAN.to_owned()))
        .redirect("/old", "/about")
        .error("/slow", FetchError::Timeout);
    let bread = page(&web, "/brot");
    assert_eq!((bread.status, bread.failure), (Some(200), None));
    assert_eq!(bread.title.as_deref(), Some("All that there is to know of brot"));
    // The text and the heading. The declared language is English, the text is German.
    assert_eq!((bread.words, bread.language.as_deref()), (Some(33), Some("de")));
    assert!(bread.readability.is_some_and(|ease| (20.0..100.0).contains(&ease)), "{:?}", bread.readability);
    // Little text.
    assert_eq!((bread.issues, bread.errors), (1, 0));
    let home = page(&web, "/");
    assert_eq!(home.errors, 2);
    let old = page(&web, "/old");
    assert_eq!((old.status, old.redirect_to.as_deref()), (Some(301), Some("https://brand.test/about")));
    assert_eq!((old.title, old.words, old.language, old.readability), (None, None, None, None));
    let slow = page(&web, "/slow");
    assert_eq!(slow.status, None);
    assert!(slow.failure.is_some() && slow.errors == 1);
    assert_eq!(page(&web, "/gone").status, Some(404));
}

#[test]
fn declared_language_is_used_where_the_text_does_not_show_it() {
    let short = Sample::new("short").set(|page| {
        page.text = "Ok".to_owned();
        page.html_attributes = "lang=\"pt-BR\"".to_owned();
    });
    let web = sound().page("/", Sample::new("home").links(&["/about", "/short"])).page("/short", short);
    assert_eq!(page(&web, "/short").language.as_deref(), Some("pt"));
}
