//! How soon the service gives freed memory back.

use crate::support::Sandbox;

/// The delays that the allocator prints when the program starts, in milliseconds: the last one is in effect.
fn purge_delays(sandbox: Sandbox) -> Vec<String> {
    let log = sandbox.with("MIMALLOC_VERBOSE", "1").serve(&[]).log();
    let lines = log.lines().filter_map(|line| line.split_once("option 'purge_delay': "));
    lines.map(|(_, delay)| delay.trim().to_owned()).collect()
}

#[test]
fn freed_memory_is_given_back_after_ten_milliseconds() {
    assert_eq!(purge_delays(Sandbox::sqlite()).last().map(String::as_str), Some("10"));
}

#[test]
fn operator_can_choose_when_freed_memory_is_given_back() {
    assert_eq!(purge_delays(Sandbox::sqlite().with("MIMALLOC_PURGE_DELAY", "500")), ["500"]);
}
