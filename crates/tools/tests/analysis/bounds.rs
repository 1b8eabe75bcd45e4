//! No text is so odd that reading it does not come to an end, or that the answer is too long to be a tool's result.
//! What grows with the square of the length would take minutes here: nobody would miss that.

use serde::Serialize;
use svc_mcp_tools::analysis::{
    Document, MAX_TEXT, NEARLY_ALIKE, Name, Source, content, gap, mentions, near_duplicates,
};

#[test]
fn a_long_text_of_anything_is_read_to_the_end() {
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
        // A tenth of what is read at most: long enough to tell, short enough for every run of the tests.
        let text = piece.repeat(MAX_TEXT / 10 / piece.len());
        content(&Document::from_markdown(&text), &["word".to_owned(), "a".to_owned()]);
        let names = [Name { name: "Acme".to_owned(), ..Name::default() }];
        let sources = [Source { name: "a", text: &text }, Source { name: "b", text: &text }];
        mentions(&names, &sources);
        near_duplicates(&sources, NEARLY_ALIKE);
        gap(&sources[..1], &sources[1..], &[], "en");
    }
}

/// Every word differs, so that no map stays small.
#[test]
fn a_text_of_different_words_is_read_to_the_end() {
    let text = different_words(20_000);
    content(&Document::from_markdown(&text), &[]);
    gap(&[], &[Source { name: "a", text: &text }], &[], "en");
}

fn different_words(count: u32) -> String {
    let letter = |digit: u32| char::from_digit(digit + 10, 36).unwrap_or('z');
    let word = |number: u32| (0..4).map(|place| letter(number / 20u32.pow(place) % 20)).collect::<String>();
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// A thousand pages that share most of their text without being duplicates: the most work for the comparison.
#[test]
fn a_thousand_half_alike_pages_are_compared_to_the_end() {
    let pages: Vec<String> = (0..1_000)
        .map(|page| {
            let own = (0..100).map(|word| format!("p{page}w{word} "));
            (0..200).map(|word| format!("menu{word} ")).chain(own).collect()
        })
        .collect();
    let sources: Vec<Source<'_>> = pages.iter().map(|text| Source { name: "page", text }).collect();
    assert_eq!(near_duplicates(&sources, NEARLY_ALIKE).groups_total, 0);
}

/// Long names, long headings, long keywords, as many of each as there can be, in characters that take most room.
#[test]
fn every_answer_fits_into_a_result() {
    let long = "\u{7}無".repeat(2_000);
    let headings = format!("# {long}\n").repeat(200);
    let keywords: Vec<String> = (0..100).map(|number| format!("{long}{number}")).collect();
    fits(&content(&Document::from_markdown(&headings), &keywords));
    let keywords: Vec<String> = different_words(60).split(' ').map(str::to_owned).collect();
    fits(&content(&Document::from_markdown(&different_words(20_000)), &keywords));

    let names: Vec<Name> =
        ('A'..='Z').map(|letter| Name { name: format!("{letter}me"), ..Name::default() }).collect();
    let praise = format!(
        "{} is great{}.",
        "Ame Bme Cme Dme Eme Fme Gme Hme Ime Jme Kme Lme Mme Nme ",
        "!".repeat(900)
    );
    let texts: Vec<String> =
        (0..400).map(|text| format!("{praise} number{} of them. {long}", text / 2)).collect();
    let sources: Vec<Source<'_>> = texts.iter().map(|text| Source { name: &long, text }).collect();
    fits(&mentions(&names, &sources));
    fits(&near_duplicates(&sources, NEARLY_ALIKE));
    fits(&gap(&[], &sources, &[], "en"));
}

fn fits(result: &impl Serialize) {
    let length = serde_json::to_string(result).map_or(usize::MAX, |json| json.len());
    assert!(length < 90_000, "{length} bytes");
}
