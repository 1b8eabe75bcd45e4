//! A report as a mail: subject, summary line, HTML and text. Both parts are written from one [`View`], so they say
//! the same.

use askama::Template;

use super::{
    AuditFigures, Compared, Content, Figures, Section, TopIssue,
    period::day_words,
    words::{Change, counted, grouped, lines, link, one_line, spoken},
};
use crate::audit::{Severity, check};

/// A mail's words, not yet addressed to anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    pub subject: String,
    /// What a mail program shows beside the subject.
    pub summary: String,
    pub html: String,
    pub text: String,
}

/// Above this, Gmail hides the end of a mail.
pub const LARGEST_HTML: usize = 100 * 1024;

/// Writes the report. `unsubscribe` is the link by which its reader ends it.
pub fn compose(content: &Content, unsubscribe: &str) -> Composed {
    let view = View::of(content, unsubscribe);
    let html = Html { view: &view }.render().expect("writing to a string does not fail");
    let text = Text { view: &view }.render().expect("writing to a string does not fail");
    Composed { subject: view.subject, summary: view.summary, html, text }
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

/// Everything both parts show, worded. What comes from pages and posts is one plain line each; the templates escape.
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
    change: Option<Change>,
}

/// A bar, its width in percent.
#[derive(Debug)]
struct Bar {
    label: String,
    value: String,
    change: Option<Change>,
    width: u32,
    colour: &'static str,
    /// Smaller words beneath the label.
    detail: Option<String>,
}

impl Bar {
    /// The same in characters.
    fn drawn(&self) -> String {
        const LENGTH: usize = 20;
        let full = (self.width as usize * LENGTH).div_ceil(100).min(LENGTH);
        format!("{}{}", "█".repeat(full), "░".repeat(LENGTH - full))
    }
}

#[derive(Debug)]
struct AuditView {
    /// When it was, and that there was none in the period.
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
    name: String,
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
    words: Option<String>,
}

const RED: &str = "#b91c1c";
const AMBER: &str = "#b45309";
const BLUE: &str = "#2563eb";
const GREEN: &str = "#15803d";
const VIOLET: &str = "#6d28d9";

const LONGEST_TITLE: usize = 100;
const LONGEST_ADDRESS: usize = 300;

impl View {
    fn of(content: &Content, unsubscribe: &str) -> Self {
        let figures = &content.figures;
        let has = |section| content.sections.contains(&section);
        let brand = one_line(&content.brand, 100);
        let period = content.span.words();
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
            before: content.before.words(),
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

fn tiles(content: &Content) -> Vec<Tile> {
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
                .map(|(now, before)| Change::of_score(now, before)),
        });
        if let Some(now) = now {
            let errors = |state: &super::AuditState| u64::from(state.counts.errors);
            let compared = before.map(|before| Compared { now: errors(now), before: errors(before) });
            tiles.push(Tile {
                label: "Errors",
                value: grouped(errors(now)),
                change: compared.map(|compared| Change::of(compared, Some(false))),
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
        let change = Some(Change::of(compared, None));
        Self { label, value: grouped(compared.now), change }
    }
}

fn total_published(figures: &Figures) -> Compared {
    figures.channels.iter().map(|channel| channel.published).fold(Compared::default(), |sum, one| sum + one)
}

fn summary(tiles: &[Tile]) -> String {
    let word = |tile: &Tile| {
        let change = tile.change.as_ref().map(|change| format!(" ({})", change.words)).unwrap_or_default();
        format!("{} {}{change}", tile.label, tile.value)
    };
    tiles.iter().map(word).collect::<Vec<_>>().join(" · ")
}

fn audit(content: &Content) -> AuditView {
    let Some(audit) = &content.figures.audit else {
        let about = "The site has not been audited yet.".to_owned();
        return AuditView { about, score: None, severities: Vec::new(), changes: None, top: Vec::new() };
    };
    let when = day_words(audit.now.finished_at);
    let pages = counted(u64::from(audit.now.pages), "page");
    let about = if audit.now.finished_at < content.span.from() {
        format!("No audit ended in this period. The last one is of {when}: {pages}.")
    } else {
        format!("Audit of {when}: {pages}.")
    };
    AuditView {
        about,
        score: audit.now.score.map(|score| score_bar(score, audit)),
        severities: severities(audit),
        changes: audit.before.as_ref().map(|before| {
            format!(
                "Against the audit of {}: {} new, {} fixed, {} still there.",
                day_words(before.finished_at),
                grouped(u64::from(audit.new)),
                grouped(u64::from(audit.fixed)),
                grouped(u64::from(audit.still_there)),
            )
        }),
        top: audit.top.iter().map(issue).collect(),
    }
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
        change: before.map(|before| Change::of_score(score, before)),
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
    let most = rows.iter().map(|(_, _, now, _)| *now).max().unwrap_or(0);
    let bar = |(label, colour, now, before): (&str, &'static str, u32, u32)| Bar {
        label: label.to_owned(),
        value: grouped(u64::from(now)),
        change: audit
            .before
            .as_ref()
            .map(|_| Change::of(Compared { now: u64::from(now), before: u64::from(before) }, Some(false))),
        width: percent(f64::from(now), f64::from(most)),
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
        name: spoken(issue.code.as_str()),
        pages: counted(u64::from(issue.pages), "page"),
        fix: check(issue.code).map_or("", |check| check.fix),
        example: one_line(&issue.example, LONGEST_ADDRESS),
        link: link(&issue.example),
    }
}

fn posts(figures: &Figures) -> PostsView {
    let most = figures.channels.iter().map(|channel| channel.published.now).max().unwrap_or(0);
    let bar = |channel: &super::ChannelFigures| {
        let mut details = Vec::new();
        if channel.failed.now > 0 {
            details.push(format!("{} failed", grouped(channel.failed.now)));
        }
        if channel.scheduled > 0 {
            details.push(format!("{} waiting to go out", grouped(channel.scheduled)));
        }
        Bar {
            label: one_line(&channel.channel, 64),
            value: format!("{} published", grouped(channel.published.now)),
            change: Some(Change::of(channel.published, None)),
            width: share(channel.published.now, most),
            colour: GREEN,
            detail: (!details.is_empty()).then(|| details.join(", ")),
        }
    };
    let post = |post: &super::LatestPost| PostView {
        title: one_line(&post.title, LONGEST_TITLE),
        link: post.url.as_deref().and_then(link),
        about: format!("{}, {}", one_line(&post.channel, 64), day_words(post.published_at)),
    };
    PostsView {
        channels: figures.channels.iter().map(bar).collect(),
        latest: figures.latest_posts.iter().map(post).collect(),
    }
}

fn analyses(figures: &Figures) -> ListView {
    let bars =
        counts(figures.analyses.iter().map(|(kind, count)| (spoken(&one_line(kind, 64)), *count)), VIOLET);
    let words = bars.is_empty().then(|| "No analysis was run.".to_owned());
    ListView { heading: "Analyses", bars, words }
}

fn keywords(figures: &Figures) -> ListView {
    let seeds: Vec<String> =
        figures.latest_searches.iter().map(|seed| format!("“{}”", one_line(seed, 60))).collect();
    let words = if seeds.is_empty() { None } else { Some(format!("Searched for {}.", seeds.join(", "))) };
    let bars = counts([("Searches".to_owned(), figures.keyword_searches)], VIOLET);
    ListView { heading: "Keyword research", bars, words }
}

fn usage(figures: &Figures) -> ListView {
    let rows =
        [("Calls", figures.calls, BLUE, None), ("Failed or refused", figures.failed_calls, RED, Some(false))];
    let most = figures.calls.now.max(figures.failed_calls.now);
    let bars = rows.map(|(label, compared, colour, better)| Bar {
        label: label.to_owned(),
        value: grouped(compared.now),
        change: Some(Change::of(compared, better)),
        width: share(compared.now, most),
        colour,
        detail: None,
    });
    ListView { heading: "Agents", bars: bars.into(), words: None }
}

fn counts(rows: impl IntoIterator<Item = (String, Compared)>, colour: &'static str) -> Vec<Bar> {
    let rows: Vec<_> = rows.into_iter().collect();
    let most = rows.iter().map(|(_, count)| count.now).max().unwrap_or(0);
    let bar = |(label, count): (String, Compared)| Bar {
        label,
        value: grouped(count.now),
        change: Some(Change::of(count, None)),
        width: share(count.now, most),
        colour,
        detail: None,
    };
    rows.into_iter().map(bar).collect()
}

fn share(part: u64, whole: u64) -> u32 {
    // What is there at all is seen: a sliver, not nothing.
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
