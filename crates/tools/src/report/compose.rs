//! Writes a report as an email: subject, summary line, HTML and text. Both parts are rendered from one [`View`], so they
//! have the same content.

use askama::Template;

use super::{
    AuditFigures, Compared, Figures, ReportContent, Section, TopIssue,
    format::{Difference, group_digits, humanize, lines, link, one_line, pluralize},
    period::day_and_month,
};
use crate::audit::{Severity, check};

/// The content of an email, without its recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComposedEmail {
    pub subject: String,
    /// The preview text that mail programs show next to the subject.
    pub summary: String,
    pub html: String,
    pub text: String,
}

/// Gmail hides the end of a larger email.
pub const MAX_HTML_BYTES: usize = 100 * 1024;

/// `unsubscribe` is the recipient's own link.
pub fn compose(content: &ReportContent, unsubscribe: &str) -> ComposedEmail {
    let view = View::new(content, unsubscribe);
    let html = Html { view: &view }.render().expect("writing to a string does not fail");
    let text = Text { view: &view }.render().expect("writing to a string does not fail");
    ComposedEmail { subject: view.subject, summary: view.summary, html, text }
}

#[derive(Template)]
#[template(path = "report.html")]
struct Html<'a> {
    view: &'a View,
}

#[derive(Template)]
#[template(path = "report.txt")]
struct Text<'a> {
    view: &'a View,
}

/// Everything that both parts show, as text. Foreign text is one plain line each; the templates escape it.
#[derive(Debug)]
struct View {
    subject: String,
    summary: String,
    brand: String,
    website: Option<String>,
    period: String,
    before: String,
    note: Vec<String>,
    tiles: Vec<Tile>,
    audit: Option<AuditView>,
    posts: Option<PostsView>,
    lists: Vec<ListView>,
    unsubscribe: String,
}

/// One of the large numbers at the top.
#[derive(Debug)]
struct Tile {
    label: &'static str,
    value: String,
    change: Option<Difference>,
}

/// A bar of a chart.
#[derive(Debug)]
struct Bar {
    label: String,
    value: String,
    change: Option<Difference>,
    /// In percent.
    width: u32,
    colour: &'static str,
    /// Small text below the label.
    detail: Option<String>,
}

impl Bar {
    /// The bar for the text part.
    fn as_text(&self) -> String {
        const LENGTH: usize = 20;
        let full = (self.width as usize * LENGTH).div_ceil(100).min(LENGTH);
        format!("{}{}", "█".repeat(full), "░".repeat(LENGTH - full))
    }
}

#[derive(Debug)]
struct AuditView {
    /// When the audit was, or that there was none in the period.
    about: String,
    score: Option<Bar>,
    severities: Vec<Bar>,
    changes: Option<String>,
    top: Vec<IssueView>,
}

#[derive(Debug)]
struct IssueView {
    severity: &'static str,
    colour: &'static str,
    name: &'static str,
    pages: String,
    fix: &'static str,
    example: String,
    link: Option<String>,
}

#[derive(Debug)]
struct PostsView {
    channels: Vec<Bar>,
    latest: Vec<PostView>,
}

#[derive(Debug)]
struct PostView {
    title: String,
    link: Option<String>,
    about: String,
}

/// A heading with a few numbers.
#[derive(Debug)]
struct ListView {
    heading: &'static str,
    bars: Vec<Bar>,
    text: Option<String>,
}

const RED: &str = "#b91c1c";
const AMBER: &str = "#b45309";
const BLUE: &str = "#2563eb";
const GREEN: &str = "#15803d";
const VIOLET: &str = "#6d28d9";

const MAX_TITLE_CHARS: usize = 100;
const MAX_URL_CHARS: usize = 300;

impl View {
    fn new(content: &ReportContent, unsubscribe: &str) -> Self {
        let figures = &content.figures;
        let has = |section| content.sections.contains(&section);
        let brand = one_line(&content.brand, 100);
        let period = content.span.heading();
        let tiles = tiles(content);
        let mut lists = Vec::new();
        if has(Section::Analyses) {
            lists.push(analyses(figures));
        }
        if has(Section::Keywords) {
            lists.push(keywords(figures));
        }
        if has(Section::Usage) {
            lists.push(usage(figures));
        }
        Self {
            subject: format!("{brand}: report for {period}"),
            summary: summary(&tiles),
            website: link(&content.website),
            before: content.before.heading(),
            note: content.note.as_deref().map(lines).unwrap_or_default(),
            audit: has(Section::Audit).then(|| audit(content)),
            posts: has(Section::Posts).then(|| posts(figures)),
            tiles,
            lists,
            unsubscribe: unsubscribe.to_owned(),
            brand,
            period,
        }
    }
}

fn tiles(content: &ReportContent) -> Vec<Tile> {
    let figures = &content.figures;
    let mut tiles = Vec::new();
    if content.sections.contains(&Section::Audit) {
        let now = figures.audit.as_ref().map(|audit| &audit.now);
        let before = figures.audit.as_ref().and_then(|audit| audit.before.as_ref());
        let score = now.and_then(|now| now.score);
        tiles.push(Tile {
            label: "Site score",
            value: score.map_or("–".into(), |score| format!("{score:.1}")),
            change: score
                .zip(before.and_then(|before| before.score))
                .map(|(now, before)| Difference::of_score(now, before)),
        });
        if let Some(now) = now {
            let errors = |state: &super::AuditState| u64::from(state.counts.errors);
            let compared = before.map(|before| Compared { now: errors(now), before: errors(before) });
            tiles.push(Tile {
                label: "Errors",
                value: group_digits(errors(now)),
                change: compared.map(|compared| Difference::of(compared, Some(false))),
            });
        }
    }
    if content.sections.contains(&Section::Posts) {
        tiles.push(Tile::counting("Posts", total_published(figures)));
    }
    if content.sections.contains(&Section::Usage) {
        tiles.push(Tile::counting("Agent calls", figures.calls));
    }
    tiles
}

impl Tile {
    fn counting(label: &'static str, compared: Compared) -> Self {
        let change = Some(Difference::of(compared, None));
        Self { label, value: group_digits(compared.now), change }
    }
}

fn total_published(figures: &Figures) -> Compared {
    figures.channels.iter().map(|channel| channel.published).fold(Compared::default(), |sum, one| sum + one)
}

fn summary(tiles: &[Tile]) -> String {
    let describe = |tile: &Tile| {
        let change = tile.change.as_ref().map(|change| format!(" ({})", change.text)).unwrap_or_default();
        format!("{} {}{change}", tile.label, tile.value)
    };
    tiles.iter().map(describe).collect::<Vec<_>>().join(" · ")
}

fn audit(content: &ReportContent) -> AuditView {
    let Some(audit) = &content.figures.audit else {
        let about = content.figures.partial_audit.as_ref().map_or_else(
            || "The site has not been audited yet.".to_owned(),
            |partial| {
                format!(
                    "The audit of {} was partial: it visited {} and left out {} known URLs. A score needs a full audit.",
                    day_and_month(partial.finished_at),
                    pluralize(u64::from(partial.visited), "URL"),
                    group_digits(u64::from(partial.left_out)),
                )
            },
        );
        return AuditView { about, score: None, severities: Vec::new(), changes: None, top: Vec::new() };
    };
    let when = day_and_month(audit.now.finished_at);
    let pages = pluralize(u64::from(audit.now.pages), "page");
    let about = if audit.now.finished_at < content.span.from() {
        format!("No audit ended in this period. The last one was on {when}: {pages}.")
    } else {
        format!("Audit of {when}: {pages}.")
    };
    AuditView {
        about,
        score: audit.now.score.map(|score| score_bar(score, audit)),
        severities: severities(audit),
        changes: audit.before.as_ref().map(|before| {
            format!(
                "Against the audit of {}: {} new{}, {} fixed, {} still there.",
                day_and_month(before.finished_at),
                group_digits(u64::from(audit.new)),
                new_errors(audit.new_errors),
                group_digits(u64::from(audit.fixed)),
                group_digits(u64::from(audit.still_there)),
            )
        }),
        top: audit.top.iter().map(issue).collect(),
    }
}

fn new_errors(count: u32) -> String {
    if count == 0 { String::new() } else { format!(" ({})", pluralize(u64::from(count), "error")) }
}

fn score_bar(score: f64, audit: &AuditFigures) -> Bar {
    let before = audit.before.as_ref().and_then(|before| before.score);
    let colour = match score {
        score if score >= 90.0 => GREEN,
        score if score >= 60.0 => AMBER,
        _ => RED,
    };
    Bar {
        label: "Score".into(),
        value: format!("{score:.1} of 100"),
        change: before.map(|before| Difference::of_score(score, before)),
        width: percent(score, 100.0),
        colour,
        detail: None,
    }
}

fn severities(audit: &AuditFigures) -> Vec<Bar> {
    let before = audit.before.as_ref().map(|before| before.counts).unwrap_or_default();
    let now = audit.now.counts;
    let rows = [
        ("Errors", RED, now.errors, before.errors),
        ("Warnings", AMBER, now.warnings, before.warnings),
        ("Notices", BLUE, now.notices, before.notices),
    ];
    let max = rows.iter().map(|(_, _, now, _)| *now).max().unwrap_or(0);
    let bar = |(label, colour, now, before): (&str, &'static str, u32, u32)| Bar {
        label: label.to_owned(),
        value: group_digits(u64::from(now)),
        change: audit.before.as_ref().map(|_| {
            Difference::of(Compared { now: u64::from(now), before: u64::from(before) }, Some(false))
        }),
        width: percent(f64::from(now), f64::from(max)),
        colour,
        detail: None,
    };
    rows.into_iter().map(bar).collect()
}

fn issue(issue: &TopIssue) -> IssueView {
    let (severity, colour) = match issue.severity {
        Severity::Error => ("Error", RED),
        Severity::Warning => ("Warning", AMBER),
        Severity::Notice => ("Notice", BLUE),
    };
    IssueView {
        severity,
        colour,
        name: issue.code.title(),
        pages: pluralize(u64::from(issue.pages), "page"),
        fix: check(issue.code).map_or("", |check| check.fix),
        example: one_line(&issue.example, MAX_URL_CHARS),
        link: link(&issue.example),
    }
}

fn posts(figures: &Figures) -> PostsView {
    let max = figures.channels.iter().map(|channel| channel.published.now).max().unwrap_or(0);
    let bar = |channel: &super::ChannelFigures| {
        let mut details = Vec::new();
        if channel.failed.now > 0 {
            details.push(format!("{} failed", group_digits(channel.failed.now)));
        }
        if channel.scheduled > 0 {
            details.push(format!("{} scheduled", group_digits(channel.scheduled)));
        }
        Bar {
            label: one_line(&channel.channel, 64),
            value: format!("{} published", group_digits(channel.published.now)),
            change: Some(Difference::of(channel.published, None)),
            width: share(channel.published.now, max),
            colour: GREEN,
            detail: (!details.is_empty()).then(|| details.join(", ")),
        }
    };
    let post = |post: &super::LatestPost| PostView {
        title: one_line(&post.title, MAX_TITLE_CHARS),
        link: post.url.as_deref().and_then(link),
        about: format!("{}, {}", one_line(&post.channel, 64), day_and_month(post.published_at)),
    };
    PostsView {
        channels: figures.channels.iter().map(bar).collect(),
        latest: figures.latest_posts.iter().map(post).collect(),
    }
}

fn analyses(figures: &Figures) -> ListView {
    let bars =
        counts(figures.analyses.iter().map(|(kind, count)| (humanize(&one_line(kind, 64)), *count)), VIOLET);
    let text = bars.is_empty().then(|| "No analysis was run.".to_owned());
    ListView { heading: "Analyses", bars, text }
}

fn keywords(figures: &Figures) -> ListView {
    let seeds: Vec<String> =
        figures.latest_searches.iter().map(|seed| format!("“{}”", one_line(seed, 60))).collect();
    let text = if seeds.is_empty() { None } else { Some(format!("Searched for {}.", seeds.join(", "))) };
    let bars = counts([("Searches".to_owned(), figures.keyword_searches)], VIOLET);
    ListView { heading: "Keyword research", bars, text }
}

fn usage(figures: &Figures) -> ListView {
    let rows =
        [("Calls", figures.calls, BLUE, None), ("Failed or refused", figures.failed_calls, RED, Some(false))];
    let max = figures.calls.now.max(figures.failed_calls.now);
    let bars = rows.map(|(label, compared, colour, better)| Bar {
        label: label.to_owned(),
        value: group_digits(compared.now),
        change: Some(Difference::of(compared, better)),
        width: share(compared.now, max),
        colour,
        detail: None,
    });
    ListView { heading: "Agents", bars: bars.into(), text: None }
}

fn counts(rows: impl IntoIterator<Item = (String, Compared)>, colour: &'static str) -> Vec<Bar> {
    let rows: Vec<_> = rows.into_iter().collect();
    let max = rows.iter().map(|(_, count)| count.now).max().unwrap_or(0);
    let bar = |(label, count): (String, Compared)| Bar {
        label,
        value: group_digits(count.now),
        change: Some(Difference::of(count, None)),
        width: share(count.now, max),
        colour,
        detail: None,
    };
    rows.into_iter().map(bar).collect()
}

fn share(part: u64, whole: u64) -> u32 {
    // A number above zero is always visible.
    if part == 0 || whole == 0 {
        0
    } else {
        u32::try_from((part * 100).div_ceil(whole).clamp(2, 100)).unwrap_or(100)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=100 first")]
fn percent(part: f64, whole: f64) -> u32 {
    if whole > 0.0 { (part / whole * 100.0).round().clamp(0.0, 100.0) as u32 } else { 0 }
}
