//! Variables that begin with `SVC_` and belong to somebody else.

/// Of the bridge, which may run on the same machine; of the tests and scripts of this repository; and of the shell of an
/// operator (docs/operator.md).
const NAMES: [&str; 8] = [
    "SVC_API_URL",
    "SVC_MCP_KEY",
    "SVC_MCP_READ_ONLY",
    "SVC_ALLOW_HTTP",
    "SVC_MCP",
    "SVC_MCP_BIN",
    "SVC_WRITE_DOCS",
    "SVC_URL",
];
const TEST_PREFIX: &str = "SVC_TEST_";

pub(super) fn is_foreign(name: &str, value: &str) -> bool {
    NAMES.contains(&name) || name.starts_with(TEST_PREFIX) || is_service_link(name, value)
}

/// Kubernetes sets such variables for every Service of the namespace, and ours is named `svc-mcp`.
fn is_service_link(name: &str, value: &str) -> bool {
    let is_port = name.contains("_PORT_") && ["_TCP", "_UDP", "_SCTP"].iter().any(|part| name.contains(part));
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || is_port
        || name.ends_with("_PORT") && value.contains("://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_kubernetes_are_foreign() {
        for (name, value) in [
            ("SVC_MCP_SERVICE_HOST", "10.0.0.1"),
            ("SVC_MCP_SERVICE_PORT", "80"),
            ("SVC_MCP_SERVICE_PORT_HTTP", "80"),
            ("SVC_MCP_PORT", "tcp://10.0.0.1:80"),
            ("SVC_MCP_PORT_80_TCP", "tcp://10.0.0.1:80"),
            ("SVC_MCP_PORT_80_TCP_PROTO", "tcp"),
            ("SVC_MCP_METRICS_PORT_9090_TCP_ADDR", "10.0.0.1"),
            ("SVC_TEST_SEED", "1"),
            ("SVC_MCP_KEY", "svc_mcp_x"),
        ] {
            assert!(is_foreign(name, value), "{name}");
        }
        for name in ["SVC_PORT", "SVC_LISTEN_PORT", "SVC_MCP_LISTEN", "SVC_REDIS_ULR", "SVC_TESTS"] {
            assert!(!is_foreign(name, "8080"), "{name}");
        }
    }
}
