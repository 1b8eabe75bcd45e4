//! Where the secret of a channel comes from when its settings are saved.

use svc_mcp_access::{Fault, Secret};

use super::{ChannelInput, ChannelKind, Settings};

#[derive(Debug)]
pub enum SecretSource {
    /// This kind of channel has no secret.
    None,
    /// The request contains it.
    Provided(Secret),
    /// The stored one stays.
    Stored,
    /// A new one is generated and shown once.
    Generate,
}

impl ChannelInput {
    /// `before` are the channel's settings up to now, if it exists.
    pub fn secret_source(&mut self, before: Option<&Settings>) -> Result<SecretSource, Fault> {
        let Some(field) = self.settings.secret_field() else { return Ok(SecretSource::None) };
        if let Some(secret) = self.secret.take() {
            return Ok(SecretSource::Provided(secret));
        }
        match before {
            Some(before) if self.settings.can_reuse_secret_of(before) => Ok(SecretSource::Stored),
            _ if self.settings.kind() == ChannelKind::Webhook => Ok(SecretSource::Generate),
            Some(before) if before.kind() == self.settings.kind() => Err(Fault::new(
                format!("settings.{field}"),
                "is required: the stored one belongs to another account or server",
            )),
            _ => Err(Fault::new(format!("settings.{field}"), "is required")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn parse(kind: ChannelKind, settings: Value) -> ChannelInput {
        ChannelInput::parse(kind, settings).expect("valid settings")
    }

    #[test]
    fn a_stored_secret_is_not_sent_to_another_server() {
        let before = parse(ChannelKind::Mastodon, json!({"server": "https://m.example"})).settings;
        let source = |settings: Value| {
            let mut input = parse(ChannelKind::Mastodon, settings);
            input.secret_source(Some(&before)).map(|source| format!("{source:?}"))
        };
        assert_eq!(
            source(json!({"server": "https://m.example", "visibility": "unlisted"})),
            Ok("Stored".into())
        );
        let fault = source(json!({"server": "https://evil.example"})).expect_err("refused");
        assert_eq!(fault.field, "settings.access_token");
        assert!(source(json!({"server": "https://evil.example", "access_token": "known"})).is_ok());
        let mut hook = parse(ChannelKind::Webhook, json!({"url": "https://a.example"}));
        assert!(matches!(hook.secret_source(Some(&before)), Ok(SecretSource::Generate)));
        let hook_before = hook.settings.clone();
        let mut moved = parse(ChannelKind::Webhook, json!({"url": "https://b.example"}));
        assert!(matches!(moved.secret_source(Some(&hook_before)), Ok(SecretSource::Stored)));
    }
}
