//! The first byte chooses a tool, the rest are its arguments as JSON. Faults are few, short and named.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use svc_mcp_access::decision::Catalog;
use svc_mcp_tools::{Registry, bounded_json};
use tokio::runtime::{Builder, Runtime};

/// Large arguments are checked on its threads.
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::default);

fuzz_target!(|data: &[u8]| {
    let Some((choice, json)) = data.split_first() else { return };
    let names: Vec<&str> = REGISTRY.entries().map(|entry| entry.description().name).collect();
    let name = names[usize::from(*choice) % names.len()];
    let Ok(arguments) = bounded_json::parse(json) else { return };
    if let Err(faults) = RUNTIME.block_on(REGISTRY.prepare(name, arguments)) {
        let mut count = 0;
        for fault in faults {
            count += 1;
            assert!(!fault.field.is_empty() && !fault.message.is_empty(), "{fault:?}");
            assert!(
                fault.field.chars().count() <= 300 && fault.message.chars().count() <= 3_000,
                "{fault:?}"
            );
        }
        assert!((1..=100).contains(&count), "{count} faults");
    }
});
