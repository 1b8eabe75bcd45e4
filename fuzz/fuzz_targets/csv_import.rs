//! Any file is a list of distinct keywords, or it is refused with a reason.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use svc_mcp_tools::keywords::import;

fuzz_target!(|data: &[u8]| match import::parse(data) {
    Ok(list) => {
        let keywords: HashSet<&str> = list.rows.iter().map(|row| row.keyword.as_str()).collect();
        assert_eq!(keywords.len(), list.rows.len(), "each keyword is listed once");
        assert!(list.problems.len() <= list.skipped);
    }
    Err(error) => assert!(!error.to_string().is_empty()),
});
