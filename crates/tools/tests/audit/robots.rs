use serde::Deserialize;
use svc_mcp_tools::audit::robots::{Key, Robots, Spelling, directives, escaped, is_product_token, path_of};

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
    about: String,
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
fn every_decision_of_googles_list_is_the_same() {
    let mut asked = 0;
    for case in google().decisions {
        let robots = Robots::parse_spelled(case.robots.as_bytes(), Spelling::AsGiven);
        for (agent, url, allowed) in &case.asks {
            assert_eq!(robots.allows(agent, url), *allowed, "{}: {agent} on {url}", case.about);
            asked += 1;
        }
    }
    assert_eq!(asked, 140);
}

#[test]
fn rfc_9309_differs_from_googles_list_on_escapes_alone() {
    // RFC 9309 §2.2.2 compares both sides in one spelling; Google's parser leaves that of the address to its caller.
    let mut different = Vec::new();
    for case in google().decisions {
        let robots = Robots::parse(case.robots.as_bytes());
        for (agent, url, allowed) in &case.asks {
            if robots.allows(agent, url) != *allowed {
                different.push(url.clone());
            }
        }
    }
    assert_eq!(
        different,
        ["http://foo.bar/foo/bar/ツ", "http://foo.bar/foo/bar/ツ", "http://foo.bar/foo/bar/baz"]
    );
}

#[test]
fn googles_long_lines_are_cut_off_at_the_same_place() {
    let longest = 2083 * 8;
    let path = |letter: &str, key: &str| format!("/x/{}", letter.repeat(longest - 3 - key.len() + 1 - 3));
    let cut = path("a", "disallow: ");
    for spelling in [Spelling::Normal, Spelling::AsGiven] {
        let robots =
            Robots::parse_spelled(format!("user-agent: FooBot\ndisallow: {cut}/qux\n").as_bytes(), spelling);
        assert!(robots.allows("FooBot", "http://foo.bar/fux"));
        assert!(!robots.allows("FooBot", &format!("http://foo.bar{cut}/fux")));

        let (a, b) = (path("a", "allow: "), path("b", "allow: "));
        let file = format!("user-agent: FooBot\ndisallow: /\nallow: {a}/qux\nallow: {b}/qux\n");
        let robots = Robots::parse_spelled(file.as_bytes(), spelling);
        assert!(!robots.allows("FooBot", "http://foo.bar/"));
        assert!(robots.allows("FooBot", &format!("http://foo.bar{a}/qux")));
        assert!(robots.allows("FooBot", &format!("http://foo.bar{b}/fux")));
    }
}

#[test]
fn googles_lines_tokens_paths_and_escapes_are_read_the_same() {
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
        assert_eq!(path_of(url), *path, "{url}");
    }
    for (value, expected) in &google.escapes {
        assert_eq!(escaped(value.as_bytes()), *expected, "{value}");
    }
}

#[test]
fn every_generated_decision_is_that_of_protego() {
    let (mut asked, mut forbidden, mut delays) = (0, 0, 0);
    for case in protego().cases {
        let robots = Robots::parse(case.robots.as_bytes());
        for (agent, url, allowed) in &case.asks {
            assert_eq!(robots.allows(agent, url), *allowed, "{agent} on {url} by\n{}", case.robots);
            asked += 1;
            forbidden += usize::from(!allowed);
        }
        for (agent, delay) in &case.delays {
            let ours = robots.crawl_delay(agent).map(|delay| delay.as_secs_f64());
            assert_eq!(ours, *delay, "{agent} by\n{}", case.robots);
            delays += usize::from(delay.is_some());
        }
        assert_eq!(robots.sitemaps(), case.sitemaps, "{}", case.robots);
    }
    // Cases that are nearly all allowed would agree by chance.
    assert!(asked >= 2_000 && forbidden >= 400 && delays >= 50, "{asked} {forbidden} {delays}");
}

#[test]
fn where_protego_differs_the_reason_is_known() {
    for difference in protego().differences {
        let robots = Robots::parse(difference.robots.as_bytes());
        assert_eq!(robots.allows(&difference.agent, &difference.url), difference.ours, "{}", difference.why);
        assert_ne!(difference.ours, difference.protego, "{}", difference.why);
    }
}
