//! Settings that work, but probably not as somebody expects.

use super::{ServeArgs, example_secrets};

const NO_REDIS: &str = "PostgreSQL without Redis: run one instance only, or set SVC_REDIS_URL; limits and revocations are not shared";
const NO_PUBLIC_URL: &str = "PostgreSQL without SVC_PUBLIC_URL: links in mails, feeds and downloads have the address that \
     this instance listens on; set the address that people use";
const NO_REVEAL_KEYS: &str = "PostgreSQL without SVC_REVEAL_KEYS: keys cannot be revealed, and channels with secrets cannot \
     be stored; set sealing keys, or `off` if that is what you want";

/// A sentence for each. Example secrets that are an error are not among them.
pub(crate) fn warnings(args: &ServeArgs) -> Vec<String> {
    let mut warnings = Vec::new();
    if args.store.is_postgres() {
        let unset = [
            (args.store.redis_url.is_none(), NO_REDIS),
            (args.public_url.is_none(), NO_PUBLIC_URL),
            (args.store.reveal_keys.is_none(), NO_REVEAL_KEYS),
        ];
        warnings.extend(unset.into_iter().filter(|(is_unset, _)| *is_unset).map(|(_, text)| text.to_owned()));
    }
    if let Ok(Some(examples)) = example_secrets::find(args) {
        warnings.push(examples.to_string());
    }
    warnings
}
