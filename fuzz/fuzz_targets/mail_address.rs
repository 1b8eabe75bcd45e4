//! What is accepted as a mail address is one plain address, and its text is accepted again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_mcp_tools::report::EmailAddress;

fuzz_target!(|data: &str| {
    if let Ok(address) = data.parse::<EmailAddress>() {
        let text = address.as_str();
        assert!(text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>,;:\"\\()[]".contains(&byte)));
        assert_eq!(text.matches('@').count(), 1);
        assert_eq!(text.parse::<EmailAddress>().expect("accepted before"), address);
        assert!(!address.masked().is_empty());
    }
});
