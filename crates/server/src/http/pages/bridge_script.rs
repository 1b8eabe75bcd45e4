//! The stdio bridge, as it is in the repository.

pub(crate) const SCRIPT: &str = include_str!("../../../../../bridge/svc_mcp_stdio.py");
pub(crate) const NAME: &str = "svc_mcp_stdio.py";

#[cfg(test)]
mod tests {
    use super::SCRIPT;

    #[test]
    fn the_bridge_has_the_version_of_the_service() {
        let wanted = format!("VERSION = \"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(SCRIPT.lines().any(|line| line == wanted), "bridge/svc_mcp_stdio.py must say {wanted}");
    }
}
