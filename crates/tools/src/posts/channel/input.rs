//! The settings of a channel as an administrator sends them. One type for each kind of channel is the parser, the
//! schema and the documentation.

use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use svc_mcp_access::{
    Fault, Faults, Secret,
    validate::{TextError, plain_text},
};
use url::Url;

use super::{ChannelKind, Settings, Visibility};
use crate::{
    net::{HTTP_URL_MESSAGE, HTTP_URL_PATTERN, MAX_URL_CHARS, UrlError, is_loopback, parse_http_url},
    standard_webhooks::{self, SigningSecret, SigningSecretError},
    validation::{InputValidator, Wording},
};

const MASTODON_CHARACTERS: u32 = 500;
/// The longest text a post can have.
const MAX_CHARACTERS: u32 = 20_000;
const MAX_IDENTIFIER_CHARS: usize = 253;

/// A credential is sent to the server, so only loopback addresses may go without TLS.
const SERVER: &str = r"^\s*([Hh][Tt][Tt][Pp][Ss]://[^\s/?#@]+|[Hh][Tt][Tt][Pp]://(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?)/?\s*$";
const SERVER_MESSAGE: &str =
    "must be the https address of the server without a path, such as https://mastodon.social";
const SIGNING_SECRET: &str = r"^whsec_[A-Za-z0-9+/]{32,86}={0,2}$";
/// What can stand in an HTTP header or a JSON string without escaping.
const CREDENTIAL: &str = r"^[!-~]{1,500}$";
const IDENTIFIER: &str = r"^\s*@?[A-Za-z0-9._:%-]*[.:][A-Za-z0-9._:%-]*\s*$";
const LANGUAGE_TAG: &str = r"^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$";

/// The patterns of the settings, each with the message for a text that does not match.
pub const SETTINGS_PATTERNS: &[(&str, &str)] = &[
    (HTTP_URL_PATTERN, HTTP_URL_MESSAGE),
    (SERVER, SERVER_MESSAGE),
    (SIGNING_SECRET, standard_webhooks::FORMAT_MESSAGE),
    (CREDENTIAL, "must be 1 to 500 visible ASCII characters without spaces"),
    (IDENTIFIER, "must be a handle such as acme.bsky.social, or a DID"),
    (LANGUAGE_TAG, "must be a language tag such as en or pt-BR"),
];

const WORDING: Wording = Wording {
    root: "settings",
    prefixed: true,
    unknown_field: "is not a setting of this kind of channel",
    patterns: SETTINGS_PATTERNS,
};

/// Valid settings, with the secret if the request contains one.
#[derive(Debug)]
pub struct ChannelInput {
    pub settings: Settings,
    pub(super) secret: Option<Secret>,
}

/// The feed has no settings.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedSettings {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookSettings {
    /// Each post is sent to this http or https address.
    #[schemars(with = "String", length(max = MAX_URL_CHARS), regex(pattern = HTTP_URL_PATTERN))]
    url: HttpUrl,
    /// Signs the requests: `whsec_` and 24 to 64 bytes in base64. If it is left out, the stored one stays or a new one is
    /// generated.
    #[schemars(with = "Option<String>", regex(pattern = SIGNING_SECRET))]
    secret: Option<SigningSecretText>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MastodonSettings {
    /// The https address of the server, without a path.
    #[schemars(with = "String", length(max = MAX_URL_CHARS), regex(pattern = SERVER))]
    server: ServerUrl,
    /// Needs the scopes `write:statuses` and `write:media`. If it is left out, the stored one stays, as long as the
    /// server is the same.
    #[schemars(with = "Option<String>", regex(pattern = CREDENTIAL))]
    access_token: Option<SecretText>,
    /// Default: `public`.
    visibility: Option<Visibility>,
    /// The longest status the server accepts. Default: 500.
    #[schemars(range(min = 1, max = MAX_CHARACTERS))]
    max_characters: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlueskySettings {
    /// The https address of the server, without a path. Default: `https://bsky.social`.
    #[schemars(with = "Option<String>", length(max = MAX_URL_CHARS), regex(pattern = SERVER))]
    server: Option<ServerUrl>,
    /// The handle or DID of the account.
    #[schemars(with = "String", length(max = MAX_IDENTIFIER_CHARS), regex(pattern = IDENTIFIER))]
    identifier: Identifier,
    /// An app password, not the password of the account. If it is left out, the stored one stays, as long as server and
    /// account are the same.
    #[schemars(with = "Option<String>", regex(pattern = CREDENTIAL))]
    app_password: Option<SecretText>,
    /// The languages of the posts, such as `["en"]`.
    #[schemars(length(max = 3), inner(length(max = 35), regex(pattern = LANGUAGE_TAG)))]
    langs: Option<Vec<String>>,
}

impl ChannelInput {
    /// Parses the settings of a channel of this kind and reports all faults at once.
    pub fn parse(kind: ChannelKind, settings: Value) -> Result<Self, Faults> {
        match kind {
            ChannelKind::Feed => parse_as::<FeedSettings>(settings),
            ChannelKind::Webhook => parse_as::<WebhookSettings>(settings),
            ChannelKind::Mastodon => parse_as::<MastodonSettings>(settings),
            ChannelKind::Bluesky => parse_as::<BlueskySettings>(settings),
        }
    }
}

fn parse_as<T>(settings: Value) -> Result<ChannelInput, Faults>
where
    T: DeserializeOwned + JsonSchema + Into<ChannelInput>,
{
    InputValidator::new::<T>(WORDING).validate(&settings)?;
    let parsed: Result<T, _> = serde_path_to_error::deserialize(settings);
    parsed
        .map(Into::into)
        .map_err(|error| Fault::new(format!("{}.{}", WORDING.root, error.path()), error.inner()).into())
}

impl From<FeedSettings> for ChannelInput {
    fn from(_: FeedSettings) -> Self {
        Self { settings: Settings::Feed, secret: None }
    }
}

impl From<WebhookSettings> for ChannelInput {
    fn from(input: WebhookSettings) -> Self {
        Self { settings: Settings::Webhook { url: input.url.0 }, secret: input.secret.map(|secret| secret.0) }
    }
}

impl From<MastodonSettings> for ChannelInput {
    fn from(input: MastodonSettings) -> Self {
        Self {
            settings: Settings::Mastodon {
                server: input.server.0,
                visibility: input.visibility.unwrap_or(Visibility::Public),
                max_characters: input.max_characters.unwrap_or(MASTODON_CHARACTERS),
            },
            secret: input.access_token.map(|token| token.0),
        }
    }
}

impl From<BlueskySettings> for ChannelInput {
    fn from(input: BlueskySettings) -> Self {
        let server = input.server.map(|server| server.0);
        Self {
            settings: Settings::Bluesky {
                server: server.unwrap_or_else(|| Url::parse("https://bsky.social").expect("a valid URL")),
                identifier: input.identifier.0,
                langs: input.langs.unwrap_or_default(),
            },
            secret: input.app_password.map(|password| password.0),
        }
    }
}

/// What the schema cannot express about one field.
#[derive(Debug, thiserror::Error)]
enum FieldError {
    #[error(transparent)]
    Text(#[from] TextError),
    #[error(transparent)]
    Url(#[from] UrlError),
    #[error("{SERVER_MESSAGE}")]
    Server,
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct HttpUrl(Url);

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct ServerUrl(Url);

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Identifier(String);

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct SigningSecretText(Secret);

#[derive(Debug, Deserialize)]
#[serde(from = "String")]
struct SecretText(Secret);

impl TryFrom<String> for HttpUrl {
    type Error = FieldError;

    fn try_from(text: String) -> Result<Self, FieldError> {
        let mut url = parse_http_url(&text)?;
        url.set_fragment(None);
        Ok(Self(url))
    }
}

impl TryFrom<String> for ServerUrl {
    type Error = FieldError;

    fn try_from(text: String) -> Result<Self, FieldError> {
        let HttpUrl(url) = text.try_into()?;
        let has_path = url.path() != "/" || url.query().is_some();
        if has_path || url.scheme() != "https" && !is_loopback(&url) {
            Err(FieldError::Server)
        } else {
            Ok(Self(url))
        }
    }
}

impl TryFrom<String> for Identifier {
    type Error = FieldError;

    fn try_from(text: String) -> Result<Self, FieldError> {
        let text = plain_text(&text, MAX_IDENTIFIER_CHARS)?;
        Ok(Self(text.strip_prefix('@').unwrap_or(&text).to_owned()))
    }
}

impl TryFrom<String> for SigningSecretText {
    type Error = SigningSecretError;

    fn try_from(text: String) -> Result<Self, SigningSecretError> {
        let secret = Secret::new(text);
        SigningSecret::parse(&secret).map(|_| Self(secret))
    }
}

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self(Secret::new(text))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn faults(kind: ChannelKind, settings: Value) -> Vec<String> {
        let faults = ChannelInput::parse(kind, settings).expect_err("must be refused");
        let mut fields: Vec<String> = faults.into_iter().map(|fault| fault.field).collect();
        fields.sort_unstable();
        fields
    }

    fn parse(kind: ChannelKind, settings: Value) -> ChannelInput {
        ChannelInput::parse(kind, settings).expect("valid settings")
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let bad = json!({"server": "https://a.example/path", "access_token": "a b", "visibility": "direct", "max_characters": 0, "colour": 1});
        assert_eq!(
            faults(ChannelKind::Mastodon, bad),
            [
                "settings.access_token",
                "settings.colour",
                "settings.max_characters",
                "settings.server",
                "settings.visibility",
            ]
        );
        let bad = json!({"server": "ftp://x", "identifier": "ada", "app_password": 7, "langs": ["", "en"]});
        assert_eq!(
            faults(ChannelKind::Bluesky, bad),
            ["settings.app_password", "settings.identifier", "settings.langs[0]", "settings.server"]
        );
        assert_eq!(
            faults(ChannelKind::Webhook, json!({"secret": "whsec_short"})),
            ["settings.secret", "settings.url"]
        );
        assert_eq!(faults(ChannelKind::Feed, json!({"url": "https://a.example"})), ["settings.url"]);
        assert_eq!(faults(ChannelKind::Feed, json!([])), ["settings"]);
    }

    /// The schema accepts these, the parser does not.
    #[test]
    fn faults_of_the_parser_have_their_field_too() {
        for url in ["https://[", "https://a b", "https://acme.example:port"] {
            assert_eq!(faults(ChannelKind::Webhook, json!({"url": url})), ["settings.url"], "{url}");
        }
        let secret = format!("whsec_{}", "A".repeat(33));
        assert_eq!(
            faults(ChannelKind::Webhook, json!({"url": "https://a.example", "secret": secret})),
            ["settings.secret"]
        );
    }

    #[test]
    fn credentials_are_only_sent_over_tls_or_to_this_machine() {
        for (server, good) in [
            ("https://mastodon.example", true),
            ("HTTPS://mastodon.example", true),
            (" https://mastodon.example ", true),
            ("https://mastodon.example:8443/", true),
            ("http://127.0.0.1:3000", true),
            ("http://localhost:3000", true),
            ("http://[::1]:3000", true),
            ("http://mastodon.example", false),
            ("http://localhost.example", false),
            ("http://127.0.0.1.example", false),
            ("https://ada:pw@mastodon.example", false),
            ("https://mastodon.example/?a=b", false),
            ("https://mastodon.example/#a", false),
        ] {
            let settings = json!({"server": server, "access_token": "token"});
            assert_eq!(ChannelInput::parse(ChannelKind::Mastodon, settings).is_ok(), good, "{server}");
        }
    }

    #[test]
    fn optional_settings_have_defaults() {
        let bluesky =
            parse(ChannelKind::Bluesky, json!({"identifier": "@acme.bsky.social", "app_password": "x"}));
        assert_eq!(
            bluesky.settings.shown(),
            json!({"server": "https://bsky.social/", "identifier": "acme.bsky.social", "langs": []})
        );
        let mastodon =
            parse(ChannelKind::Mastodon, json!({"server": "https://m.example", "visibility": null}));
        assert_eq!(
            mastodon.settings.shown(),
            json!({"server": "https://m.example/", "visibility": "public", "max_characters": 500})
        );
    }

    #[test]
    fn settings_survive_storage_and_hold_no_secret() {
        let inputs = [
            parse(ChannelKind::Feed, json!({})),
            parse(ChannelKind::Webhook, json!({"url": "https://a.example/x#y"})),
            parse(ChannelKind::Mastodon, json!({"server": "https://m.example", "access_token": "s3cret"})),
            parse(
                ChannelKind::Bluesky,
                json!({"identifier": "did:plc:abc", "app_password": "s3cret", "langs": ["en"]}),
            ),
        ];
        for input in inputs {
            let stored = json!(input.settings).to_string();
            assert!(!stored.contains("s3cret") && !format!("{input:?}").contains("s3cret"));
            assert_eq!(serde_json::from_str::<Settings>(&stored).expect("it parses"), input.settings);
        }
    }
}
