use serde::Deserialize;
use svc_mcp_tools::audit::robots::{
    Key, Robots, directives, escape_non_ascii, is_product_token, path_and_query,
};

#[derive(Deserialize)]
struct Google {
    decisions: Vec<Decisions>,
    tokens: Vec<(String, bool)>,
    paths: Vec<(String, String)>,
    escapes: Vec<(String, String)>,
    lines: Vec<Lines>,
    marks: Vec<Lines>,
}

#[derive(Deserialize)]
struct Decisions {
    robots: String,
    asks: Vec<(String, String, bool)>,
}

#[derive(Deserialize)]
struct Lines {
    about: String,
    #[serde(default)]
    before: Vec<u8>,
    file: String,
    known: usize,
    unknown: usize,
    last: Option<u32>,
    sitemap: Option<String>,
}

#[derive(Deserialize)]
struct Protego {
    cases: Vec<ProtegoCase>,
    differences: Vec<Difference>,
}

#[derive(Deserialize)]
struct ProtegoCase {
    robots: String,
    sitemaps: Vec<String>,
    delays: std::collections::BTreeMap<String, Option<f64>>,
    asks: Vec<(String, String, bool)>,
}

#[derive(Deserialize)]
struct Difference {
    why: String,
    robots: String,
    agent: String,
    url: String,
    protego: bool,
    ours: bool,
}

fn google() -> Google {
    serde_json::from_str(include_str!("golden/robots_google.json")).unwrap()
}

fn protego() -> Protego {
    serde_json::from_str(include_str!("golden/robots_protego.json")).unwrap()
}

#[test]
fn decisions_differ_from_googles_list_only_for_escapes() {
    // RFC 9309 §2.2.2 normalizes both sides. Google's parser expects a normalized URL from its caller.
    let mut decisions = 0;
    let mut different = Vec::new();
    for case in google().decisions {
        let robots = Robots::parse(case.robots.as_bytes());
        for (agent, url, allowed) in &case.asks {
            if robots.allows(agent, url) != *allowed {
                different.push(url.clone());
            }
            decisions += 1;
        }
    }
    assert_eq!(decisions, 140);
    assert_eq!(
        different,
        ["http://foo.bar/foo/bar/ツ", "http://foo.bar/foo/bar/ツ", "http://foo.bar/foo/bar/baz"]
    );
}

#[test]
fn long_lines_are_cut_like_googles() {
    let max_line = 2083 * 8;
    let path = |letter: &str, key: &str| format!("/x/{}", letter.repeat(max_line - 3 - key.len() + 1 - 3));
    let cut = path("a", "disallow: ");
    let robots = Robots::parse(format!("user-agent: FooBot\ndisallow: {cut}/qux\n").as_bytes());
    assert!(robots.allows("FooBot", "http://foo.bar/fux"));
    assert!(!robots.allows("FooBot", &format!("http://foo.bar{cut}/fux")));

    let (a, b) = (path("a", "allow: "), path("b", "allow: "));
    let file = format!("user-agent: FooBot\ndisallow: /\nallow: {a}/qux\nallow: {b}/qux\n");
    let robots = Robots::parse(file.as_bytes());
    assert!(!robots.allows("FooBot", "http://foo.bar/"));
    assert!(robots.allows("FooBot", &format!("http://foo.bar{a}/qux")));
    assert!(robots.allows("FooBot", &format!("http://foo.bar{b}/fux")));
}

#[test]
fn lines_tokens_paths_and_escapes_match_googles() {
    let google = google();
    for case in google.lines.iter().chain(&google.marks) {
        let file = [case.before.as_slice(), case.file.as_bytes()].concat();
        let read: Vec<_> = directives(&file).collect();
        let unknown = read.iter().filter(|directive| directive.key == Key::Unknown).count();
        assert_eq!((read.len() - unknown, unknown), (case.known, case.unknown), "{}", case.about);
        if let Some(last) = case.last {
            assert_eq!(read.last().unwrap().line, last, "{}", case.about);
        }
        assert_eq!(Robots::parse(&file).sitemaps().first(), case.sitemap.as_ref(), "{}", case.about);
    }
    for (token, valid) in &google.tokens {
        assert_eq!(is_product_token(token), *valid, "{token}");
    }
    for (url, path) in &google.paths {
        assert_eq!(path_and_query(url), *path, "{url}");
    }
    for (value, expected) in &google.escapes {
        assert_eq!(escape_non_ascii(value.as_bytes()), *expected, "{value}");
    }
}

#[test]
fn generated_decisions_match_protego() {
    let (mut decisions, mut forbidden, mut delays) = (0, 0, 0);
    for case in protego().cases {
        let robots = Robots::parse(case.robots.as_bytes());
        for (agent, url, allowed) in &case.asks {
            assert_eq!(robots.allows(agent, url), *allowed, "{agent} on {url} by\n{}", case.robots);
            decisions += 1;
            forbidden += usize::from(!allowed);
        }
        for (agent, delay) in &case.delays {
            let ours = robots.crawl_delay(agent).map(|delay| delay.as_secs_f64());
            assert_eq!(ours, *delay, "{agent} by\n{}", case.robots);
            delays += usize::from(delay.is_some());
        }
        assert_eq!(robots.sitemaps(), case.sitemaps, "{}", case.robots);
    }
    // If nearly all cases were allowed, they would match by chance.
    assert!(decisions >= 2_000 && forbidden >= 400 && delays >= 50, "{decisions} {forbidden} {delays}");
}

#[test]
fn differences_from_protego_are_intended() {
    for difference in protego().differences {
        let robots = Robots::parse(difference.robots.as_bytes());
        assert_eq!(robots.allows(&difference.agent, &difference.url), difference.ours, "{}", difference.why);
        assert_ne!(difference.ours, difference.protego, "{}", difference.why);
    }
}
