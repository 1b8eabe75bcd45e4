//! The report email: its content, that both parts agree, and that foreign text is never markup.

#![expect(clippy::unwrap_used, reason = "a test fails on unexpected values")]

use std::collections::BTreeSet;

use svc_mcp_access::Timestamp;
use svc_mcp_tools::{
    audit::{Code, Counts, Severity},
    report::{
        AuditFigures, AuditState, ChannelFigures, Compared, Figures, LatestPost, PartialAudit, ReportContent,
        Section, TopIssue,
        compose::{ComposedEmail, MAX_HTML_BYTES, compose},
    },
};

const LINK: &str = "https://svc.example/unsubscribe/acme/token";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn compared(now: u64, before: u64) -> Compared {
    Compared { now, before }
}

fn content() -> ReportContent {
    let state = |audit_id: &str, day: &str, score, counts| AuditState {
        audit_id: audit_id.into(),
        finished_at: at(day),
        score: Some(score),
        pages: 124,
        counts,
    };
    let top =
        |code, severity, pages, example: &str| TopIssue { code, severity, pages, example: example.into() };
    let channel = |channel: &str, published, failed, scheduled| ChannelFigures {
        channel: channel.into(),
        published,
        failed,
        scheduled,
    };
    let post = |title: &str, channel: &str, url: Option<&str>, day| LatestPost {
        title: title.into(),
        channel: channel.into(),
        url: url.map(str::to_owned),
        published_at: at(day),
    };
    ReportContent {
        brand: "Acme Coffee".into(),
        website: "https://acme.example".into(),
        span: "2026-11-09/2026-11-15".parse().unwrap(),
        before: "2026-11-02/2026-11-08".parse().unwrap(),
        sections: BTreeSet::from(Section::ALL),
        note: Some("Hello all,\nthe new shop pages are live; the score should climb next week.".into()),
        figures: Figures {
            audit: Some(AuditFigures {
                now: state(
                    "audit_2",
                    "2026-11-14T08:00:00Z",
                    87.5,
                    Counts { errors: 14, warnings: 63, notices: 118 },
                ),
                before: Some(state(
                    "audit_1",
                    "2026-11-07T08:00:00Z",
                    84.3,
                    Counts { errors: 19, warnings: 60, notices: 118 },
                )),
                new: 6,
                new_errors: 2,
                fixed: 8,
                still_there: 189,
                top: vec![
                    top(Code::BrokenInternalLink, Severity::Error, 9, "https://acme.example/shop/beans"),
                    top(
                        Code::TitleDuplicate,
                        Severity::Error,
                        5,
                        "https://acme.example/blog/2?page=2&sort=a",
                    ),
                    top(Code::DescriptionMissing, Severity::Warning, 41, "https://acme.example/recipes"),
                ],
            }),
            partial_audit: None,
            channels: vec![
                channel("bluesky", compared(3, 1), compared(1, 0), 0),
                channel("feed", compared(6, 4), compared(0, 0), 2),
            ],
            latest_posts: vec![
                post(
                    "New: the winter roast",
                    "feed",
                    Some("https://svc.example/feeds/acme/posts/post_1"),
                    "2026-11-14T10:00:00Z",
                ),
                post("Opening hours over the holidays", "bluesky", None, "2026-11-11T10:00:00Z"),
            ],
            analyses: vec![("brand_mentions".into(), compared(1, 2)), ("content".into(), compared(4, 0))],
            keyword_searches: compared(2, 2),
            latest_searches: vec!["coffee beans".into(), "espresso grinder".into()],
            calls: compared(1204, 980),
            failed_calls: compared(12, 31),
        },
    }
}

#[test]
fn the_report_matches_its_snapshots() {
    let ComposedEmail { subject, summary, html, text } = compose(&content(), LINK);
    insta::assert_snapshot!("subject_and_summary", format!("{subject}\n{summary}"));
    insta::assert_snapshot!("text", text);
    insta::assert_snapshot!("html", html);
    if let Ok(file) = std::env::var("SVC_TEST_REPORT_HTML") {
        std::fs::write(file, html).unwrap();
    }
}

/// The text of the HTML part, without markup.
fn text_of(html: &str) -> String {
    let body = html.split_once("<body").unwrap().1;
    let mut text = String::new();
    let mut inside = true;
    for character in body.chars() {
        match character {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            other if !inside => text.push(other),
            _ => {}
        }
    }
    text
}

/// Every number in a text, with its sign.
fn numbers(text: &str) -> BTreeSet<String> {
    let is_part = |character: char| character.is_ascii_digit() || "+−±.,".contains(character);
    text.split(|character| !is_part(character))
        .map(|number| number.trim_end_matches(['.', ',']).to_owned())
        .filter(|number| number.contains(|character: char| character.is_ascii_digit()))
        .collect()
}

#[test]
fn html_and_text_contain_the_same_numbers() {
    let ComposedEmail { html, text, .. } = compose(&content(), LINK);
    // Only the text part shows the addresses of links.
    let text: String =
        text.lines().filter(|line| !line.contains("https://svc.example")).collect::<Vec<_>>().join("\n");
    let mut html = text_of(&html);
    for (entity, character) in
        [("&#38;", "&"), ("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'")]
    {
        html = html.replace(entity, character);
    }
    assert_eq!(numbers(&text), numbers(&html));
    for number in ["87.5", "+3.2", "−5", "1,204", "+224", "−19", "189"] {
        assert!(numbers(&text).contains(number), "{number}");
    }
}

#[test]
fn only_requested_sections_are_included() {
    let only = |section| compose(&ReportContent { sections: [section].into(), ..content() }, LINK);
    for (section, heading) in [
        (Section::Audit, "Site audit"),
        (Section::Posts, "Posts"),
        (Section::Analyses, "Analyses"),
        (Section::Keywords, "Keyword research"),
        (Section::Usage, "Agents"),
    ] {
        let ComposedEmail { html, text, .. } = only(section);
        assert!(html.contains(&format!(">{heading}</h2>")), "{heading}");
        assert_eq!(html.matches("<h2").count(), 1, "{heading}");
        assert!(text.contains(&heading.to_uppercase()), "{heading}");
    }
}

#[test]
fn a_report_without_data_says_so() {
    let content = ReportContent { figures: Figures::default(), note: None, ..content() };
    let ComposedEmail { html, text, .. } = compose(&content, LINK);
    for part in [html, text] {
        for sentence in [
            "The site has not been audited yet.",
            "No posts were published, failed or scheduled.",
            "No analysis was run.",
        ] {
            assert!(part.contains(sentence), "{sentence} is missing from {part}");
        }
    }
}

#[test]
fn partial_audit_is_no_score() {
    let mut content = content();
    content.figures.audit = None;
    content.figures.partial_audit =
        Some(PartialAudit { finished_at: at("2026-11-14T08:00:00Z"), visited: 2, left_out: 1_204 });
    let ComposedEmail { summary, html, text, .. } = compose(&content, LINK);
    assert!(summary.starts_with("Site score – · Posts"), "{summary}");
    let sentence = "The audit of 14 November was partial: it visited 2 URLs and left out 1,204 known URLs. A score needs a \
        full audit.";
    assert!(html.contains(sentence) && text.contains(sentence), "{text}");
}

#[test]
fn foreign_text_is_escaped() {
    const EVIL: &str =
        "</title><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\r\nBcc: eve@example.com\u{202e}";
    let mut content = content();
    content.brand = EVIL.into();
    content.website = "javascript:alert(1)".into();
    content.note = Some(EVIL.into());
    let figures = &mut content.figures;
    figures.latest_posts[0].title = EVIL.into();
    figures.latest_posts[0].url = Some("https://acme.example/\"onmouseover=\"alert(1)".into());
    figures.latest_posts[1].url = Some("javascript:alert(1)".into());
    figures.channels[0].channel = EVIL.into();
    figures.latest_searches = vec![EVIL.into()];
    figures.analyses[0].0 = EVIL.into();
    figures.audit.as_mut().unwrap().top[0].example = format!("https://acme.example/{EVIL}");
    let ComposedEmail { subject, summary, html, text } = compose(&content, LINK);
    let ours = compose(&self::content(), LINK).html;
    for tag in ["<script", "<img", "<title", "<a ", "<style"] {
        assert!(html.matches(tag).count() <= ours.matches(tag).count(), "{tag}");
    }
    assert!(!html.contains("href=\"javascript:") && !html.contains("\"onmouseover"));
    for line in [subject, summary] {
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
    // A line that looks like a header appears only in the note, where it is quoted.
    assert!(text.lines().filter(|line| line.contains("Bcc:")).all(|line| !line.starts_with("Bcc:")));
    assert!(!text.contains('\u{202e}') && !html.contains('\u{202e}'));
}

#[test]
fn the_largest_report_stays_below_the_limit_of_gmail() {
    let mut content = content();
    content.note = Some("ö".repeat(2000));
    let figures = &mut content.figures;
    let audit = figures.audit.as_mut().unwrap();
    audit.top = vec![TopIssue { example: "<".repeat(5000), ..audit.top[0].clone() }; 10];
    figures.latest_posts =
        vec![LatestPost { title: "&".repeat(20_000), ..figures.latest_posts[0].clone() }; 10];
    figures.channels = vec![ChannelFigures { channel: "\"".repeat(64), ..figures.channels[0].clone() }; 20];
    figures.latest_searches = vec!["'".repeat(200); 10];
    let html = compose(&content, LINK).html;
    assert!(html.len() < MAX_HTML_BYTES, "{}", html.len());
}
