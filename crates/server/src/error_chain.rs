//! An error and its causes as one line, for the command line.

use std::error::Error;

/// `outer: cause: cause of the cause`. A cause that is quoted already is not repeated.
pub(crate) fn error_chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !line.contains(&text) {
            line.push_str(": ");
            line.push_str(&text);
        }
        next = cause.source();
    }
    line
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Outer {
        #[error("cannot read the file")]
        Plain(#[source] io::Error),
        #[error("cannot read the file: {0}")]
        Quoting(#[source] io::Error),
    }

    #[test]
    fn each_cause_is_written_once() {
        let cause = || io::Error::other("disk on fire");
        for error in [Outer::Plain(cause()), Outer::Quoting(cause())] {
            assert_eq!(error_chain(&error), "cannot read the file: disk on fire");
        }
    }
}
