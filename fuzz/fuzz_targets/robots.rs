//! The first line is a path, the rest a robots.txt.
#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_mcp_tools::audit::robots::Robots;

fuzz_target!(|data: &[u8]| {
    let (path, file) = data.split_at(data.iter().position(|byte| *byte == b'\n').unwrap_or(0));
    let robots = Robots::parse(file);
    let url = format!("https://example.com/{}", String::from_utf8_lossy(path));
    let decision = robots.decide("svc-mcp-audit", &url);
    assert_eq!(decision.allowed, robots.allows("svc-mcp-audit", &url));
    assert_eq!(decision.allowed, decision.rule.is_none_or(|rule| rule.allow));
    assert!(robots.allows("svc-mcp-audit", "https://example.com/robots.txt"));
    let _ = (robots.crawl_delay("svc-mcp-audit"), robots.sitemaps().len());
});
