use std::fmt::Write;

use aws_lc_rs::digest::{Context, SHA256};

/// A hash of a list of texts, as 32 hexadecimal digits. Each text follows its length, so that different lists never give
/// the same bytes.
pub(crate) fn short_digest(parts: &[&str]) -> String {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part.as_bytes());
    }
    context.finish().as_ref()[..16].iter().fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
