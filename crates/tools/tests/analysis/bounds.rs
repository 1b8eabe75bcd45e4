//! Any text is analysed in time, and every result is small enough for a tool. An analysis with quadratic time would take
//! minutes here.

use serde::Serialize;
use svc_mcp_tools::analysis::{
    DEFAULT_SIMILARITY, Document, MAX_TEXT_BYTES, NamedText, TrackedName, analyse_content, content_gap,
    count_mentions, near_duplicates, rank_texts,
};

#[test]
fn long_text_of_any_pattern_is_analysed_in_time() {
    let pieces = [
        "word ",
        "good but bad ",
        ".",
        ". ",
        "a.",
        "\n",
        "\n\n",
        "#\n",
        "# a\n",
        "- a\n",
        "[a](",
        "[",
        "*",
        "'",
        "é",
        "无",
        "😁",
        "A-",
        "no not never so ",
        "1.",
        "```\n",
        "Acme's ",
    ];
    for piece in pieces {
        // A tenth of the limit: long enough to notice quadratic time, short enough for a test.
        let text = piece.repeat(MAX_TEXT_BYTES / 10 / piece.len());
        analyse_content(&Document::from_markdown(&text), &["word".to_owned(), "a".to_owned()], None);
        let names = [TrackedName { name: "Acme".to_owned(), ..TrackedName::default() }];
        let sources = [NamedText { name: "a", text: &text }, NamedText { name: "b", text: &text }];
        count_mentions(&names, &sources, None);
        rank_texts(&sources, None);
        near_duplicates(&sources, DEFAULT_SIMILARITY);
        content_gap(&sources[..1], &sources[1..], &[], "en");
    }
}

/// Every word is different, so that every map grows.
#[test]
fn text_of_different_words_is_analysed_in_time() {
    let text = different_words(20_000);
    analyse_content(&Document::from_markdown(&text), &[], None);
    content_gap(&[], &[NamedText { name: "a", text: &text }], &[], "en");
}

fn different_words(count: u32) -> String {
    let letter = |digit: u32| char::from_digit(digit + 10, 36).unwrap_or('z');
    let word = |number: u32| (0..4).map(|place| letter(number / 20u32.pow(place) % 20)).collect::<String>();
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// Pages that share most of their text but are not duplicates are the worst case of the comparison.
#[test]
fn thousand_similar_pages_are_compared_in_time() {
    let pages: Vec<String> = (0..1_000)
        .map(|page| {
            let own = (0..100).map(|word| format!("p{page}w{word} "));
            (0..200).map(|word| format!("menu{word} ")).chain(own).collect()
        })
        .collect();
    let sources: Vec<NamedText<'_>> = pages.iter().map(|text| NamedText { name: "page", text }).collect();
    assert_eq!(near_duplicates(&sources, DEFAULT_SIMILARITY).groups_total, 0);
}

/// The maximum number of names, headings and keywords, all long and of wide characters.
#[test]
fn every_result_fits_into_a_response() {
    let long = "\u{7}無".repeat(2_000);
    let headings = format!("# {long}\n").repeat(200);
    let keywords: Vec<String> = (0..100).map(|number| format!("{long}{number}")).collect();
    assert_fits(&analyse_content(&Document::from_markdown(&headings), &keywords, None));
    let keywords: Vec<String> = different_words(60).split(' ').map(str::to_owned).collect();
    assert_fits(&analyse_content(&Document::from_markdown(&different_words(20_000)), &keywords, None));

    let names: Vec<TrackedName> = ('A'..='Z')
        .map(|letter| TrackedName { name: format!("{letter}me"), ..TrackedName::default() })
        .collect();
    let praise = format!(
        "{} is great{}.",
        "Ame Bme Cme Dme Eme Fme Gme Hme Ime Jme Kme Lme Mme Nme ",
        "!".repeat(900)
    );
    let texts: Vec<String> =
        (0..400).map(|text| format!("{praise} number{} of them. {long}", text / 2)).collect();
    let sources: Vec<NamedText<'_>> = texts.iter().map(|text| NamedText { name: &long, text }).collect();
    assert_fits(&count_mentions(&names, &sources, None));
    assert_fits(&rank_texts(&sources[..40], None));
    assert_fits(&near_duplicates(&sources, DEFAULT_SIMILARITY));
    assert_fits(&content_gap(&[], &sources, &[], "en"));
}

fn assert_fits(result: &impl Serialize) {
    let json = serde_json::to_string(result).expect("a result is JSON");
    let (bytes, chars) = (json.len(), json.chars().count());
    // The result has it twice, may have 100 KiB, and its text 40,000 characters. Findings need some of them.
    assert!(bytes < 45_000 && chars < 34_000, "{bytes} bytes, {chars} characters");
}
