//! A feed with any texts is well-formed XML, and a reader gets the texts back. The lines of the input are a title, a link
//! and the text.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use quick_xml::{Reader, events::Event};
use svc_mcp::http::write_feed;
use svc_mcp_access::{Brand, Timestamp};
use svc_mcp_tools::posts::{Post, Target, TargetStatus};

static BRAND: LazyLock<Brand> = LazyLock::new(|| Brand {
    brand_id: "acme".parse().expect("an id"),
    name: "Acme".to_owned(),
    website: "https://acme.example".to_owned(),
    plan_id: "business".parse().expect("an id"),
    competitors: Vec::new(),
    language: None,
    time_zone: "UTC".to_owned(),
});

fuzz_target!(|data: &str| {
    let mut parts = data.splitn(3, '\n');
    let (title, link) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let text = parts.next().unwrap_or_default();
    let now = Timestamp::from_millis(1_800_000_000_000);
    let target = Target {
        channel: "feed".to_owned(),
        status: TargetStatus::Published,
        url: Some("https://svc.example/feeds/acme/posts/p".to_owned()),
        error: None,
        attempts: 1,
        next_attempt_at: None,
        published_at: Some(now),
        unknown_since: None,
        remote_uri: None,
        withdraw_requested_at: None,
    };
    let post = Post {
        post_id: "post_a".to_owned(),
        text: text.to_owned(),
        title: Some(title.to_owned()),
        link: Some(link.to_owned()),
        media: Vec::new(),
        created_at: now,
        created_by_key: "key_a".parse().expect("an id"),
        scheduled_at: None,
        version: 1,
        targets: vec![target.clone()],
    };
    let feed = write_feed("https://svc.example", &BRAND, &[(post, target)]);
    let read = read_back(&feed);
    assert_eq!(read.titles, ["Acme".to_owned(), allowed_in_xml(title)]);
    assert_eq!(read.content, allowed_in_xml(text));
    assert_eq!(read.related, allowed_in_xml(link));
    assert_eq!(read.entries, 1);
});

#[derive(Default)]
struct ReadFeed {
    entries: usize,
    titles: Vec<String>,
    content: String,
    related: String,
}

fn read_back(xml: &str) -> ReadFeed {
    let mut reader = Reader::from_str(xml);
    let (mut feed, mut open, mut text) = (ReadFeed::default(), Vec::new(), String::new());
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(start) => {
                open.push(start.name().as_ref().to_owned());
                text.clear();
            }
            Event::Empty(empty) => {
                let value = |name| {
                    let attribute = empty.try_get_attribute(name).expect("well-formed").expect("there");
                    quick_xml::escape::unescape(&attribute.value).expect("known escapes").into_owned()
                };
                if value("rel") == "related" {
                    feed.related = value("href");
                }
            }
            Event::Text(part) => text.push_str(&part),
            Event::GeneralRef(name) => {
                let name = format!("&{};", &*name);
                text.push_str(&quick_xml::escape::unescape(&name).expect("known escapes"));
            }
            Event::End(_) => match open.pop().expect("opened").as_str() {
                "entry" => feed.entries += 1,
                "title" => feed.titles.push(std::mem::take(&mut text)),
                "content" => feed.content = std::mem::take(&mut text),
                _ => {}
            },
            Event::Eof => return feed,
            Event::Decl(_) => {}
            other => panic!("nothing else is written: {other:?}"),
        }
    }
}

/// XML 1.0 has no other control characters.
fn allowed_in_xml(text: &str) -> String {
    let is_allowed = |c: &char| {
        matches!(c, '\t' | '\n' | '\r') || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'))
    };
    text.chars().filter(is_allowed).collect()
}
