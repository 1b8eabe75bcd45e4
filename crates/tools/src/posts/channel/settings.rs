//! The settings of each kind of channel: how they are read, what of them is shown, and what becomes of the secret.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use svc_mcp_access::{
    Fault, Secret,
    validate::{plain_text, repeated},
};
use url::{Host, Url};

use super::ChannelKind;
use crate::posts::publish::SigningSecret;

/// What a channel's settings show. The secret is elsewhere, sealed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Settings {
    Feed,
    Webhook {
        url: Url,
    },
    Mastodon {
        /// The server's address, without a path.
        server: Url,
        visibility: Visibility,
        max_characters: u32,
    },
    Bluesky {
        server: Url,
        /// The account's handle or DID.
        identifier: String,
        /// The languages its posts are in, at most three.
        langs: Vec<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    Public,
    Unlisted,
    Private,
}

/// What somebody wants a channel to be.
#[derive(Debug)]
pub struct Given {
    pub settings: Settings,
    secret: Option<Secret>,
}

/// Where a channel's secret comes from.
#[derive(Debug)]
pub enum SecretPlan {
    /// It has none.
    None,
    Given(Secret),
    /// The one that is kept already.
    Keep,
    /// A new one, to be told once.
    Generate,
}

const TEXT_LIMIT: u32 = 10_000;
const MASTODON_CHARACTERS: u32 = 500;
const BLUESKY_GRAPHEMES: u32 = 300;
/// No post is longer, so no channel takes more.
const MOST_CHARACTERS: u32 = 20_000;

impl Settings {
    pub fn kind(&self) -> ChannelKind {
        match self {
            Self::Feed => ChannelKind::Feed,
            Self::Webhook { .. } => ChannelKind::Webhook,
            Self::Mastodon { .. } => ChannelKind::Mastodon,
            Self::Bluesky { .. } => ChannelKind::Bluesky,
        }
    }

    pub(crate) fn text_limit(&self) -> u32 {
        match self {
            Self::Feed | Self::Webhook { .. } => TEXT_LIMIT,
            Self::Mastodon { max_characters, .. } => *max_characters,
            Self::Bluesky { .. } => BLUESKY_GRAPHEMES,
        }
    }

    /// As an administrator sees them: all but the secret.
    pub fn shown(&self) -> Value {
        let mut shown = json!(self);
        if let Some(fields) = shown.as_object_mut() {
            fields.remove("kind");
        }
        shown
    }

    /// The name of the field that the secret came in.
    pub fn secret_field(&self) -> Option<&'static str> {
        match self {
            Self::Feed => None,
            Self::Webhook { .. } => Some("secret"),
            Self::Mastodon { .. } => Some("access_token"),
            Self::Bluesky { .. } => Some("app_password"),
        }
    }

    /// Whether the secret kept for `before` is good for these settings too. It is not where it would be handed to
    /// another server: whoever changes a server must know the secret. A signing secret is never handed out.
    fn may_keep_secret_of(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Webhook { .. }, Self::Webhook { .. }) => true,
            (Self::Mastodon { server, .. }, Self::Mastodon { server: known, .. }) => server == known,
            (
                Self::Bluesky { server, identifier, .. },
                Self::Bluesky { server: known, identifier: known_as, .. },
            ) => server == known && identifier == known_as,
            _ => false,
        }
    }
}

impl Given {
    /// Reads settings, and finds every fault before any is told.
    pub fn read(kind: ChannelKind, settings: Value) -> Result<Self, Vec<Fault>> {
        let mut fields = Reader::of(settings);
        let given = match kind {
            ChannelKind::Feed => Some(Self { settings: Settings::Feed, secret: None }),
            ChannelKind::Webhook => {
                let url = fields.required("url", receiver);
                let secret = fields.optional("secret", signing_secret);
                url.map(|url| Self { settings: Settings::Webhook { url }, secret })
            }
            ChannelKind::Mastodon => {
                let server = fields.required("server", server);
                let secret = fields.optional("access_token", credential);
                let visibility = fields.optional("visibility", visibility).unwrap_or(Visibility::Public);
                let max_characters =
                    fields.optional("max_characters", characters).unwrap_or(MASTODON_CHARACTERS);
                server.map(|server| Self {
                    settings: Settings::Mastodon { server, visibility, max_characters },
                    secret,
                })
            }
            ChannelKind::Bluesky => {
                let given = fields.optional("server", server);
                let server = given.unwrap_or_else(|| Url::parse("https://bsky.social").expect("an address"));
                let identifier = fields.required("identifier", identifier);
                let secret = fields.optional("app_password", credential);
                let langs = fields.optional("langs", languages).unwrap_or_default();
                identifier.map(|identifier| Self {
                    settings: Settings::Bluesky { server, identifier, langs },
                    secret,
                })
            }
        };
        fields.finish()?;
        Ok(given.expect("finish found no fault"))
    }

    /// Where the secret comes from, given what the channel was before.
    pub fn secret_plan(&mut self, before: Option<&Settings>) -> Result<SecretPlan, Fault> {
        let Some(field) = self.settings.secret_field() else { return Ok(SecretPlan::None) };
        if let Some(secret) = self.secret.take() {
            return Ok(SecretPlan::Given(secret));
        }
        match before {
            Some(before) if self.settings.may_keep_secret_of(before) => Ok(SecretPlan::Keep),
            _ if self.settings.kind() == ChannelKind::Webhook => Ok(SecretPlan::Generate),
            Some(before) if before.kind() == self.settings.kind() => Err(Fault::new(
                format!("settings.{field}"),
                "is required: the one that is kept was given for another account or server",
            )),
            _ => Err(Fault::new(format!("settings.{field}"), "is required")),
        }
    }
}

/// The fields of the settings. What was not asked for is refused by name.
struct Reader {
    values: Map<String, Value>,
    faults: Vec<Fault>,
}

impl Reader {
    fn of(settings: Value) -> Self {
        match settings {
            Value::Object(values) => Self { values, faults: Vec::new() },
            _ => Self { values: Map::new(), faults: vec![Fault::new("settings", "must be a JSON object")] },
        }
    }

    fn required<T>(&mut self, name: &str, read: impl FnOnce(&Value) -> Result<T, String>) -> Option<T> {
        match self.values.get(name) {
            None | Some(Value::Null) => {
                self.values.remove(name);
                self.faults.push(Fault::new(format!("settings.{name}"), "is required"));
                None
            }
            Some(_) => self.optional(name, read),
        }
    }

    fn optional<T>(&mut self, name: &str, read: impl FnOnce(&Value) -> Result<T, String>) -> Option<T> {
        let value = self.values.remove(name).filter(|value| !value.is_null())?;
        let fault = |message: String| self.faults.push(Fault::new(format!("settings.{name}"), message));
        read(&value).map_err(fault).ok()
    }

    fn finish(mut self) -> Result<(), Vec<Fault>> {
        let unknown = self.values.keys().map(|name| {
            Fault::new(format!("settings.{}", repeated(name)), "is not a setting of this kind of channel")
        });
        self.faults.extend(unknown);
        if self.faults.is_empty() { Ok(()) } else { Err(self.faults) }
    }
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "must be a text".to_owned())
}

fn address(value: &Value) -> Result<Url, String> {
    let text = plain_text(text(value)?, 2000)?;
    let wanted = "must be an http or https address with a host";
    let url = Url::parse(&text).map_err(|_| wanted)?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wanted.into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not hold a user name or password: it is shown to every administrator".into());
    }
    Ok(url)
}

fn receiver(value: &Value) -> Result<Url, String> {
    let mut url = address(value)?;
    url.set_fragment(None);
    Ok(url)
}

/// A server that is handed a credential: nobody between may read along.
fn server(value: &Value) -> Result<Url, String> {
    let url = address(value)?;
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return Err("must be the server's address alone, such as https://mastodon.social".into());
    }
    let on_this_machine = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    if url.scheme() != "https" && !on_this_machine {
        return Err("must begin with https://, since a secret is sent to it".into());
    }
    Ok(url)
}

fn signing_secret(value: &Value) -> Result<Secret, String> {
    let secret = Secret::new(text(value)?.to_owned());
    SigningSecret::parse(&secret).map(|_| secret).map_err(|error| error.to_string())
}

/// What goes into a header, or a JSON text, as it is.
fn credential(value: &Value) -> Result<Secret, String> {
    let text = text(value)?;
    if (1..=500).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(Secret::new(text.to_owned()))
    } else {
        Err("must be 1 to 500 visible ASCII characters, without spaces".into())
    }
}

fn visibility(value: &Value) -> Result<Visibility, String> {
    match value.as_str() {
        Some("public") => Ok(Visibility::Public),
        Some("unlisted") => Ok(Visibility::Unlisted),
        Some("private") => Ok(Visibility::Private),
        _ => Err("must be public, unlisted or private".into()),
    }
}

fn characters(value: &Value) -> Result<u32, String> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    let number = number.filter(|number| (1..=MOST_CHARACTERS).contains(number));
    number.ok_or_else(|| format!("must be a number from 1 to {MOST_CHARACTERS}"))
}

fn identifier(value: &Value) -> Result<String, String> {
    let text = plain_text(text(value)?, 253)?;
    let name = text.strip_prefix('@').unwrap_or(&text);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '_' | '%');
    if name.is_empty() || !name.chars().all(plain) || !name.contains(['.', ':']) {
        return Err("must be a handle such as acme.bsky.social, or a DID".into());
    }
    Ok(name.to_owned())
}

fn languages(value: &Value) -> Result<Vec<String>, String> {
    let wanted = "must be at most 3 language tags, such as [\"en\"]";
    let all = value.as_array().filter(|all| all.len() <= 3).ok_or(wanted)?;
    let plain = |tag: &str| {
        let parts = tag
            .split('-')
            .all(|part| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()));
        parts && tag.len() <= 35
    };
    let tag = |tag: &Value| tag.as_str().filter(|tag| plain(tag)).map(str::to_owned);
    all.iter().map(tag).collect::<Option<_>>().ok_or_else(|| wanted.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(kind: ChannelKind, settings: Value) -> Vec<String> {
        let faults = Given::read(kind, settings).expect_err("must be refused");
        faults.into_iter().map(|fault| fault.field).collect()
    }

    fn read(kind: ChannelKind, settings: Value) -> Given {
        Given::read(kind, settings).expect("good settings")
    }

    #[test]
    fn every_fault_is_told_at_once() {
        let bad = json!({"server": "https://a.example/path", "access_token": "a b", "visibility": "direct", "max_characters": 0, "colour": 1});
        assert_eq!(
            faults(ChannelKind::Mastodon, bad),
            [
                "settings.server",
                "settings.access_token",
                "settings.visibility",
                "settings.max_characters",
                "settings.colour"
            ]
        );
        let bad = json!({"server": "ftp://x", "identifier": "ada", "app_password": 7, "langs": ["", "en"]});
        assert_eq!(
            faults(ChannelKind::Bluesky, bad),
            ["settings.server", "settings.identifier", "settings.app_password", "settings.langs"]
        );
        assert_eq!(
            faults(ChannelKind::Webhook, json!({"secret": "whsec_short"})),
            ["settings.url", "settings.secret"]
        );
        assert_eq!(faults(ChannelKind::Feed, json!({"url": "https://a.example"})), ["settings.url"]);
        assert_eq!(faults(ChannelKind::Feed, json!([])), ["settings"]);
    }

    #[test]
    fn a_credential_goes_only_where_nobody_reads_along() {
        for (server, good) in [
            ("https://mastodon.example", true),
            ("https://mastodon.example:8443/", true),
            ("http://127.0.0.1:3000", true),
            ("http://localhost:3000", true),
            ("http://[::1]:3000", true),
            ("http://mastodon.example", false),
            ("https://ada:pw@mastodon.example", false),
            ("https://mastodon.example/?a=b", false),
        ] {
            let settings = json!({"server": server, "access_token": "token"});
            assert_eq!(Given::read(ChannelKind::Mastodon, settings).is_ok(), good, "{server}");
        }
    }

    #[test]
    fn what_is_left_out_has_its_usual_value() {
        let bluesky =
            read(ChannelKind::Bluesky, json!({"identifier": "@acme.bsky.social", "app_password": "x"}));
        assert_eq!(
            bluesky.settings.shown(),
            json!({"server": "https://bsky.social/", "identifier": "acme.bsky.social", "langs": []})
        );
        let mastodon = read(ChannelKind::Mastodon, json!({"server": "https://m.example"}));
        assert_eq!(
            mastodon.settings.shown(),
            json!({"server": "https://m.example/", "visibility": "public", "max_characters": 500})
        );
    }

    #[test]
    fn settings_come_back_as_they_were_kept_and_hold_no_secret() {
        let given = [
            read(ChannelKind::Feed, json!({})),
            read(ChannelKind::Webhook, json!({"url": "https://a.example/x#y"})),
            read(ChannelKind::Mastodon, json!({"server": "https://m.example", "access_token": "s3cret"})),
            read(
                ChannelKind::Bluesky,
                json!({"identifier": "did:plc:abc", "app_password": "s3cret", "langs": ["en"]}),
            ),
        ];
        for given in given {
            let kept = json!(given.settings).to_string();
            assert!(!kept.contains("s3cret") && !format!("{given:?}").contains("s3cret"));
            assert_eq!(serde_json::from_str::<Settings>(&kept).expect("it reads"), given.settings);
        }
    }

    #[test]
    fn a_kept_secret_is_not_handed_to_another_server() {
        let before = read(ChannelKind::Mastodon, json!({"server": "https://m.example"})).settings;
        let plan = |settings: Value| {
            read(ChannelKind::Mastodon, settings).secret_plan(Some(&before)).map(|plan| format!("{plan:?}"))
        };
        assert_eq!(plan(json!({"server": "https://m.example", "visibility": "unlisted"})), Ok("Keep".into()));
        let fault = plan(json!({"server": "https://evil.example"})).expect_err("refused");
        assert_eq!(fault.field, "settings.access_token");
        assert!(plan(json!({"server": "https://evil.example", "access_token": "known"})).is_ok());
        let mut hook = read(ChannelKind::Webhook, json!({"url": "https://a.example"}));
        assert!(matches!(hook.secret_plan(Some(&before)), Ok(SecretPlan::Generate)));
        let hook_before = hook.settings.clone();
        let mut moved = read(ChannelKind::Webhook, json!({"url": "https://b.example"}));
        assert!(matches!(moved.secret_plan(Some(&hook_before)), Ok(SecretPlan::Keep)));
    }
}
