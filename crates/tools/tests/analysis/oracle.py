"""Updates the expected results in golden/*.json with the reference implementations, for the texts in these files.

    pip install -r oracle-requirements.txt && python oracle.py

To add a text, add an entry with only the text and run this script. Sources of the texts:
- language.json: written for this test, twenty in each of ten languages.
- phrases.json: written for this test.
- readability.json: the English texts of phrases.json, openings of books in the public domain, and runs of sentences
  from VADER's test data.
- sentiment.json: a regular sample of the sentences in VADER's own test data (tweets, product and film reviews in
  `additional_resources/` of the source distribution, MIT), and the examples in its code.
- syllables.json: every 97th word of CMUdict.
"""

import json
import re
from pathlib import Path

import py3langid
import textstat
import yake
from textstat.backend.counts import count_syllables
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

import word_lists

GOLDEN = Path(__file__).resolve().parent / "golden"

VADER = SentimentIntensityAnalyzer()
CMU = word_lists.cmu_counts()
EXCEPTIONS = word_lists.syllable_exceptions()


def language(entry):
    return {"text": entry["text"], "written_in": entry["written_in"], "oracle": py3langid.classify(entry["text"])[0]}


def phrases(entry):
    extractor = yake.KeywordExtractor(lan=entry["language"], n=3, top=10)
    answers = [phrase for phrase, _ in extractor.extract_keywords(entry["text"])]
    return {"name": entry["name"], "language": entry["language"], "text": entry["text"], "oracle": answers}


def sentiment(entry):
    return {"text": entry["text"], **VADER.polarity_scores(entry["text"])}


def readability(entry):
    text = entry["text"]
    return {
        "name": entry["name"],
        "text": text,
        "words": textstat.lexicon_count(text),
        "sentences": textstat.sentence_count(text),
        "syllables": textstat.syllable_count(text),
        "flesch_reading_ease": round(textstat.flesch_reading_ease(text), 6),
        "flesch_kincaid_grade": round(textstat.flesch_kincaid_grade(text), 6),
        "gunning_fog": round(textstat.gunning_fog(text), 6),
        "smog_index": round(textstat.smog_index(text), 6),
        "coleman_liau_index": round(textstat.coleman_liau_index(text), 6),
        "automated_readability_index": round(textstat.automated_readability_index(text), 6),
        "lix": round(textstat.lix(text), 6),
        "differences": list(differences(text)),
    }


def differences(text):
    """The words that the two count differently, with the reason: the rows of the table in readability.rs."""
    seen = {}
    for token in text.split():
        there, here = count_syllables(token, "en_US"), word_lists.count(token, EXCEPTIONS)
        if there == here:
            continue
        if re.search(r"\w[^\w'’]+\w", token):
            why = "parts of a compound are counted one by one"
        elif "’" in token:
            why = "a typographic apostrophe is an apostrophe"
        elif re.match(r"\W*'[tsd]", token):
            why = "a quote is no apostrophe"
        else:
            assert re.sub(r"[^\w']", "", token.lower()) not in CMU, token
            why = "CMUdict does not know it"
        entry = seen.setdefault(token, {"word": token, "times": 0, "textstat": there, "here": here, "why": why})
        entry["times"] += 1
    return seen.values()


def main():
    for name, evaluate in [
        ("language", language),
        ("phrases", phrases),
        ("readability", readability),
        ("sentiment", sentiment),
    ]:
        path = GOLDEN / f"{name}.json"
        entries = [evaluate(entry) for entry in json.loads(path.read_text(encoding="utf-8"))]
        write(path, entries)
    write(GOLDEN / "syllables.json", [{"word": word, "syllables": CMU[word]} for word in sorted(CMU)[::97]])


def write(path, entries):
    """Writes one entry per line, so that a diff shows one line per change."""
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{path.name}: {len(entries)} entries, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
