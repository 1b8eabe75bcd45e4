//! The secrets of the examples in `deploy/`. Everybody can read them, so they protect nothing.

use std::net::SocketAddr;

use svc_mcp_access::Secret;
use svc_mcp_tools::net::is_loopback;
use url::Url;

use super::ServeArgs;

/// A part of each secret in `deploy/`. A test compares them with the files.
const EXAMPLES: [&str; 4] = [
    "example-secret-of-at-least-thirty-two-bytes",
    "ZXhhbXBsZS1leGFtcGxlLWV4YW1wbGUtZXhhbXBsZSE=",
    "example-database-password",
    "example-redis-password",
];

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} must not be the example of the repository, which everybody knows: set your own", .0.join(" and "))]
pub(crate) struct ExampleSecrets(Vec<&'static str>);

/// Example secrets are an error, unless the service has an address of this machine: then it is a trial, and they are
/// returned for a warning.
pub(crate) fn find(args: &ServeArgs) -> Result<Option<ExampleSecrets>, ExampleSecrets> {
    let secrets = [
        ("SVC_JWT_SECRET", &args.jwt.jwt_secret),
        ("SVC_REVEAL_KEYS", &args.store.reveal_keys),
        ("SVC_DATABASE_URL", &args.store.database_url),
        ("SVC_REDIS_URL", &args.store.redis_url),
    ];
    let is_example = |secret: &Secret| EXAMPLES.iter().any(|example| secret.expose().contains(example));
    let examples = secrets.into_iter().filter(|(_, secret)| secret.as_ref().is_some_and(is_example));
    let found: Vec<&str> = examples.map(|(name, _)| name).collect();
    if found.is_empty() {
        Ok(None)
    } else if is_local(args.public_url.as_deref(), args.listen) {
        Ok(Some(ExampleSecrets(found)))
    } else {
        Err(ExampleSecrets(found))
    }
}

fn is_local(public_url: Option<&str>, listen: SocketAddr) -> bool {
    match public_url {
        Some(url) => Url::parse(url).is_ok_and(|url| is_loopback(&url)),
        None => listen.ip().is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    /// Every text of the examples that looks like a secret.
    fn secrets_in(dir: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                secrets_in(&path, found);
            } else if path.to_string_lossy().contains("example")
                && let Ok(text) = fs::read_to_string(&path)
            {
                let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
                let words = lines.flat_map(|line| line.split([' ', ':', '@', '/', '\'', '"']));
                let words = words.map(|word| word.rsplit_once("PASSWORD=").map_or(word, |(_, value)| value));
                let words = words.map(|word| word.rsplit_once("SECRET=").map_or(word, |(_, value)| value));
                found.extend(
                    words
                        .filter(|word| word.starts_with("example-") || word.starts_with("ZXhhbXBsZ"))
                        .map(str::to_owned),
                );
            }
        }
    }

    #[test]
    fn every_secret_of_the_examples_is_known() {
        let mut found = Vec::new();
        secrets_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy"), &mut found);
        assert!(!found.is_empty());
        for secret in found {
            assert!(EXAMPLES.iter().any(|example| secret.contains(example)), "{secret} is not in EXAMPLES");
        }
    }

    #[test]
    fn only_addresses_of_this_machine_are_local() {
        let [here, everywhere]: [SocketAddr; 2] =
            ["127.0.0.1:8080", "0.0.0.0:8080"].map(|address| address.parse().unwrap());
        assert!(is_local(None, here));
        assert!(!is_local(None, everywhere));
        for url in ["http://localhost:8080", "http://127.0.0.1", "http://[::1]:8080"] {
            assert!(is_local(Some(url), everywhere), "{url}");
        }
        for url in ["https://mcp.example.com", "http://localhost.example.com", "http://10.0.0.1"] {
            assert!(!is_local(Some(url), here), "{url}");
        }
    }
}
