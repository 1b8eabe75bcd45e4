//! The bridge as an MCP Bundle: a ZIP archive with a manifest and the script.

use serde_json::{Value, json};
use url::{Host, Url};

use super::{bridge_script, download::Download, stored_zip};

const NAME: &str = "svc-mcp.mcpb";

/// The newest stable version. 0.4 is experimental, and adds nothing that this bundle needs.
const MANIFEST_VERSION: &str = "0.3";

/// The bundle of the service at this address. The same input gives the same bytes.
pub(crate) fn build(public_url: &str) -> Download {
    let manifest = format!("{:#}\n", manifest(public_url));
    let zip = stored_zip::archive(&[
        ("manifest.json", manifest.as_bytes()),
        (bridge_script::NAME, bridge_script::SCRIPT.as_bytes()),
    ]);
    // Safari would unpack a file that is called a ZIP archive.
    Download::new(NAME, "application/octet-stream", zip)
}

fn manifest(public_url: &str) -> Value {
    // An application counts a required value as missing until the person enters it, even if it has a default.
    let known_address = Some(public_url).filter(|url| can_be_reached(url));
    let mut address = json!({
        "type": "string",
        "title": "Address of the service",
        "description": "The base address, such as https://svc.example.com",
        "required": known_address.is_none(),
    });
    if let Some(default) = known_address {
        address["default"] = default.into();
    }
    json!({
        "manifest_version": MANIFEST_VERSION,
        "name": "svc-mcp",
        "display_name": "SVC brand tools",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "The tools of one brand: posts, audits, analyses, keywords and reports",
        "author": {"name": "svc-mcp"},
        "license": env!("CARGO_PKG_LICENSE"),
        "server": {
            "type": "python",
            "entry_point": bridge_script::NAME,
            "mcp_config": {
                "command": "python3",
                "args": [format!("${{__dirname}}/{}", bridge_script::NAME)],
                "env": {
                    "SVC_API_URL": "${user_config.address}",
                    "SVC_MCP_KEY": "${user_config.api_key}",
                    "SVC_MCP_READ_ONLY": "${user_config.read_only}",
                },
                "platform_overrides": {"win32": {"command": "py"}},
            },
        },
        // The service decides which tools a key has.
        "tools_generated": true,
        "compatibility": {"platforms": ["darwin", "linux", "win32"], "runtimes": {"python": ">=3.8"}},
        "user_config": {
            "address": address,
            "api_key": {
                "type": "string",
                "title": "MCP key",
                "description": "The key that Settings → MCP shows. It begins with svc_mcp_",
                "sensitive": true,
                "required": true,
            },
            "read_only": {
                "type": "boolean",
                "title": "Read only",
                "description": "Hide every tool that writes",
                "default": false,
                "required": false,
            },
        },
    })
}

/// Whether clients can use this address. Without a configured one, it can be `http://0.0.0.0:8080`.
fn can_be_reached(public_url: &str) -> bool {
    match Url::parse(public_url).as_ref().map(Url::host) {
        Ok(Some(Host::Ipv4(address))) => !address.is_unspecified(),
        Ok(Some(Host::Ipv6(address))) => !address.is_unspecified(),
        Ok(Some(Host::Domain(_))) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreachable_address_is_not_proposed() {
        for (public_url, expected) in [
            ("https://svc.example.com/base", Some("https://svc.example.com/base")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("http://0.0.0.0:8080", None),
            ("http://[::]:8080", None),
        ] {
            let manifest = manifest(public_url);
            let address = &manifest["user_config"]["address"];
            assert_eq!(address["default"].as_str(), expected, "{public_url}");
            assert_eq!(address["required"], expected.is_none(), "{public_url}");
        }
    }
}
