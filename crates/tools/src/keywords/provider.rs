//! The client of the keyword provider, a service that the operator configures: one POST request, both bodies JSON.
//!
//! Request: `{"seeds": […], "language": "en", "country": "us" or null, "match": "broad", "limit": 500}`, with
//! `Authorization: Bearer …` if a token is configured. Response: 200 and `{"rows": [{"keyword": "…", "volume": 90,
//! "difficulty": 12, "cpc": 0.4, "currency": "USD", "competition": 0.2, "intent": "commercial"}]}`, where all fields
//! except the keyword may be missing or null. Invalid rows are skipped and counted.

use std::{sync::Arc, time::Duration};

use http::{HeaderValue, header};
use serde::Deserialize;
use serde_json::{Value, json};
use svc_mcp_access::Secret;
use url::Url;

use super::{
    model::{Figures, Intent, ListedKeyword, clean_keyword},
    search::{MAX_ROWS, Query},
};
use crate::net::{ClientError, Guard, InvalidHostError, Limits, NetError, Outbound, Request, parse_http_url};

const LIMITS: Limits =
    Limits { timeout: Duration::from_secs(10), max_body_bytes: 2 * 1024 * 1024, max_redirects: 0 };

/// Cheap to clone.
#[derive(Clone)]
pub struct Provider {
    outbound: Outbound,
    url: Url,
    authorization: Option<Arc<HeaderValue>>,
}

/// Invalid configuration. The message is for the operator.
#[derive(Debug, thiserror::Error)]
pub enum ProviderConfigError {
    #[error("SVC_KEYWORD_PROVIDER_URL: must be an http or https URL")]
    Url,
    #[error("SVC_KEYWORD_PROVIDER_TOKEN: must contain only visible ASCII characters")]
    Token,
    #[error("SVC_KEYWORD_PROVIDER_URL: {0}")]
    Host(InvalidHostError),
    #[error("SVC_KEYWORD_PROVIDER_URL: {0}")]
    Client(ClientError),
}

/// The keywords from the provider.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProviderResponse {
    pub rows: Vec<ListedKeyword>,
    /// The number of invalid rows.
    pub skipped: usize,
}

/// Why the provider returned nothing. Never contains its URL or token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    #[error(transparent)]
    Net(#[from] NetError),
    #[error("it responded with status {0}")]
    Status(u16),
    #[error("its response is not the expected JSON")]
    Unreadable,
}

#[derive(Deserialize)]
struct ResponseBody {
    rows: Vec<Value>,
}

#[derive(Deserialize)]
struct Row {
    keyword: String,
    volume: Option<u64>,
    difficulty: Option<f64>,
    cpc: Option<f64>,
    currency: Option<String>,
    competition: Option<f64>,
    intent: Option<Intent>,
}

impl Provider {
    /// The operator configured this host, so it may have a private address. Other hosts must not.
    pub fn new(url: &str, token: Option<&Secret>) -> Result<Self, ProviderConfigError> {
        let url = parse_http_url(url).map_err(|_| ProviderConfigError::Url)?;
        let host = url.host_str().ok_or(ProviderConfigError::Url)?;
        let allowed = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let guard = Guard::allowing([allowed]).map_err(ProviderConfigError::Host)?;
        let outbound = Outbound::new(guard).map_err(ProviderConfigError::Client)?;
        let authorization = token.map(|token| {
            let value = HeaderValue::try_from(format!("Bearer {}", token.expose()));
            value.map(|mut value| {
                value.set_sensitive(true);
                Arc::new(value)
            })
        });
        let authorization = authorization.transpose().map_err(|_| ProviderConfigError::Token)?;
        Ok(Self { outbound, url, authorization })
    }

    pub async fn fetch(&self, query: &Query, language: &str) -> Result<ProviderResponse, ProviderError> {
        let body = json!({
            "seeds": query.seeds,
            "language": language,
            "country": query.country,
            "match": query.match_mode,
            "limit": MAX_ROWS,
        });
        let mut request = Request::post(self.url.clone(), body.to_string());
        request.limits = LIMITS;
        request.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(authorization) = &self.authorization {
            request.headers.insert(header::AUTHORIZATION, HeaderValue::clone(authorization));
        }
        let response = self.outbound.send(request).await?;
        if !response.is_success() {
            return Err(ProviderError::Status(response.status));
        }
        let response = response.into_complete()?;
        let ResponseBody { rows } =
            serde_json::from_slice(&response.body).map_err(|_| ProviderError::Unreadable)?;
        let mut keywords = ProviderResponse::default();
        for row in rows.into_iter().take(MAX_ROWS) {
            match serde_json::from_value(row).ok().and_then(listed) {
                Some(row) => keywords.rows.push(row),
                None => keywords.skipped += 1,
            }
        }
        Ok(keywords)
    }
}

fn listed(row: Row) -> Option<ListedKeyword> {
    let within = |number: Option<f64>, max: f64| number.is_none_or(|number| (0.0..=max).contains(&number));
    let is_code = |code: &String| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    if !within(row.difficulty, 100.0) || !within(row.competition, 1.0) || !within(row.cpc, 1e6) {
        return None;
    }
    Some(ListedKeyword {
        keyword: clean_keyword(&row.keyword)?,
        country: None,
        intent: row.intent,
        figures: Figures {
            volume: row.volume,
            difficulty: row.difficulty,
            cpc: row.cpc,
            currency: row.currency.filter(is_code),
            competition: row.competition,
            ..Figures::default()
        },
    })
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("host", &self.url.host_str()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_configuration_names_its_variable() {
        for url in ["", "ftp://x", "keywords.example"] {
            assert!(matches!(Provider::new(url, None), Err(ProviderConfigError::Url)), "{url}");
        }
        let token = Secret::new("a\nb".to_owned());
        let error = Provider::new("https://keywords.example/v1", Some(&token)).unwrap_err();
        assert!(matches!(error, ProviderConfigError::Token));
    }

    #[test]
    fn debug_shows_neither_token_nor_path() {
        let token = Secret::new("hidden-token".to_owned());
        let provider = Provider::new("https://keywords.example/hidden-path", Some(&token)).unwrap();
        assert!(!format!("{provider:?}").contains("hidden"));
    }

    #[test]
    fn row_with_an_invalid_figure_is_skipped() {
        let row = |json: Value| serde_json::from_value(json).ok().and_then(listed);
        assert!(row(json!({"keyword": " green  tea "})).is_some_and(|row| row.keyword == "green tea"));
        for bad in [
            json!({"keyword": ""}),
            json!({"keyword": "x", "volume": -1}),
            json!({"keyword": "x", "volume": 1.5}),
            json!({"keyword": "x", "difficulty": 101}),
            json!({"keyword": "x", "competition": -0.1}),
            json!({"keyword": "x".repeat(201)}),
            json!({"volume": 3}),
            json!("x"),
        ] {
            assert_eq!(row(bad.clone()), None, "{bad}");
        }
    }
}
