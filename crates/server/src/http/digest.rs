//! SHA-256 of contents, as text.

use std::fmt::Write;

use svc_mcp_access::sha256;

pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    sha256(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
