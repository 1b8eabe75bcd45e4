//! Makes scripts smaller: nearly a third of what a browser would load of them is comments and indentation.

/// The same script, with a space or a line break for each run of comments and white space.
///
/// It takes a `/` after `)`, `]` or `}` for a division. A regular expression there would be read wrongly, so a test of the page
/// compares what the compiler reads in every script with what it reads in this one.
pub(super) fn without_comments(script: &str) -> String {
    let mut reader = Reader { rest: script, read: String::with_capacity(script.len()), nested: Vec::new() };
    while reader.skip_gap() {
        reader.read_token();
    }
    reader.read
}

struct Reader<'script> {
    rest: &'script str,
    read: String,
    /// For each `${` that is open: how many braces are open in it.
    nested: Vec<usize>,
}

impl Reader<'_> {
    /// Returns whether anything follows. A line break stays one, because it may end a statement.
    fn skip_gap(&mut self) -> bool {
        let start = self.rest;
        loop {
            self.rest = self.rest.trim_start();
            let end = if self.rest.starts_with("//") {
                self.rest.find('\n')
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").map(|end| end + 2)
            } else {
                break;
            };
            self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
        }
        let gap = &start[..start.len() - self.rest.len()];
        if !gap.is_empty() && !self.read.is_empty() && !self.rest.is_empty() {
            self.read.push(if gap.contains('\n') { '\n' } else { ' ' });
        }
        !self.rest.is_empty()
    }

    fn read_token(&mut self) {
        match self.rest.as_bytes()[0] {
            quote @ (b'"' | b'\'') => self.take(end_of_string(self.rest, quote)),
            b'`' => self.read_template(),
            b'/' if self.expects_value() => self.take(end_of_pattern(self.rest)),
            b'}' if self.nested.last() == Some(&0) => {
                self.nested.pop();
                self.read_template();
            }
            other => {
                match (other, self.nested.last_mut()) {
                    (b'{', Some(open)) => *open += 1,
                    (b'}', Some(open)) => *open -= 1,
                    _ => {}
                }
                let word = self.rest.find(|next| !is_in_word(next)).unwrap_or(self.rest.len());
                let one = self.rest.chars().next().map_or(0, char::len_utf8);
                self.take(word.max(one));
            }
        }
    }

    /// A part of a template literal: to its end, or to the next value in it.
    fn read_template(&mut self) {
        let mut end = 1;
        loop {
            match self.rest.as_bytes().get(end..) {
                Some([b'\\', ..]) => end += 2,
                Some([b'$', b'{', ..]) => {
                    self.nested.push(0);
                    return self.take(end + 2);
                }
                Some([b'`', ..] | []) | None => return self.take(end + 1),
                Some(_) => end += 1,
            }
        }
    }

    /// Whether a `/` begins a regular expression here, and is not a division.
    fn expects_value(&self) -> bool {
        let before = self.read.trim_end();
        let word = before.rsplit(|letter| !is_in_word(letter)).next().unwrap_or_default();
        match before.chars().last() {
            Some(')' | ']' | '}' | '"' | '\'' | '`') => false,
            Some(last) if is_in_word(last) => KEYWORDS_BEFORE_VALUES.contains(&word),
            _ => !before.ends_with("++") && !before.ends_with("--"),
        }
    }

    fn take(&mut self, length: usize) {
        let (token, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.read.push_str(token);
        self.rest = rest;
    }
}

const KEYWORDS_BEFORE_VALUES: [&str; 9] =
    ["await", "case", "delete", "in", "of", "return", "throw", "typeof", "void"];

fn is_in_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

fn end_of_string(text: &str, quote: u8) -> usize {
    end_of(text, |byte| byte == quote)
}

/// A `/` in a class such as `[^/]` does not end it.
fn end_of_pattern(text: &str) -> usize {
    let mut is_class = false;
    end_of(text, |byte| {
        match byte {
            b'[' => is_class = true,
            b']' => is_class = false,
            _ => {}
        }
        byte == b'/' && !is_class
    })
}

/// The first place behind a byte that ends what begins here. An escaped byte does not.
fn end_of(text: &str, mut ends: impl FnMut(u8) -> bool) -> usize {
    let mut is_escaped = true;
    let last = text.bytes().position(|byte| {
        if std::mem::take(&mut is_escaped) {
            return false;
        }
        is_escaped = byte == b'\\';
        ends(byte)
    });
    last.map_or(text.len(), |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn expect(script: &str, shorter: &str) {
        assert_eq!(without_comments(script), shorter);
        assert_eq!(without_comments(shorter), shorter);
    }

    #[test]
    fn comments_and_indentation_are_removed() {
        expect(
            "// @ts-check\n\n/** What it does. */\nfunction a() {\n\t// Why.\n\treturn 1; // one\n}\n",
            "function a() {\nreturn 1;\n}",
        );
        expect("const a = /** @type {any} */ (b);", "const a = (b);");
        expect("a /* 1\n2 */ b", "a\nb");
        expect("a/**/b // end", "a b");
        expect("", "");
    }

    #[test]
    fn line_breaks_that_end_a_statement_stay() {
        expect("let a = 1\n\n\t// why\n\tlet b = 2", "let a = 1\nlet b = 2");
    }

    #[test]
    fn strings_stay_as_they_are() {
        for script in [r#"a = "http://x  /* y */ \" // z""#, r"a = '  // \'  '", r#"a = "\\""#] {
            expect(&format!("{script} // comment"), script);
        }
    }

    #[test]
    fn template_literals_stay_as_they_are() {
        expect("a = `\n\t// x  ${ b /* c */ }  /* y */\n`; // z", "a = `\n\t// x  ${ b }  /* y */\n`;");
        expect(
            "`a ${ { b: `c  // ${ d }  //` }.b }  // \\` ${e}`  + f",
            "`a ${ { b: `c  // ${ d }  //` }.b }  // \\` ${e}` + f",
        );
    }

    #[test]
    fn regular_expressions_stay_as_they_are() {
        for script in [r#"a.replace(/[/"]\/  \//g, b)"#, "return /  `'/", "a = /\"/", "a && /'  /.test(b)"] {
            expect(&format!("{script} // comment"), script);
        }
    }

    #[test]
    fn a_division_is_no_regular_expression() {
        for script in ["a / b", "(a) / 2", "a[0] / 2", "a++ / 2", "10 / 2", "`${a / b}` / c"] {
            expect(&format!("{script} // it's / \"b"), script);
        }
    }

    #[test]
    fn an_unfinished_script_stays_as_it_is() {
        for script in ["\"a", "`a ${", "`a", "/a", "`\\", "}", "a /*", "\u{e4}\u{20ac}"] {
            assert!(script.starts_with(&without_comments(script)), "{script}");
        }
    }
}
