use std::fmt::Write;

use aws_lc_rs::digest::{Context, SHA256};

/// Names a list of texts in 32 characters, each with its length before it, so that no two lists read the same.
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
