//! A source of keywords that the operator runs or rents: one POST, one answer, both JSON.
//!
//! Sent: `{"seeds": […], "language": "en", "country": "us" or null, "match": "broad", "limit": 500}`, with
//! `Authorization: Bearer …` where a token is configured. Expected: 200 and `{"rows": [{"keyword": "…", "volume": 90,
//! "difficulty": 12, "cpc": 0.4, "currency": "USD", "competition": 0.2, "intent": "commercial"}]}`, where everything but
//! the keyword may be missing or null. Rows that are wrong are left out and counted.

use std::{sync::Arc, time::Duration};

use http::{HeaderValue, header};
use serde::Deserialize;
use serde_json::{Value, json};
use svc_mcp_access::Secret;
use url::Url;

use super::{
    model::{Figures, Intent, ListedKeyword, tidy},
    search::{MOST_ROWS, Query},
};
use crate::net::{Guard, Limits, NetError, Outbound, Request};

const LIMITS: Limits = Limits { time: Duration::from_secs(10), largest_body: 2 * 1024 * 1024, redirects: 0 };

/// Where to ask. Cheap to clone.
#[derive(Clone)]
pub struct Provider {
    outbound: Outbound,
    url: Url,
    authorization: Option<Arc<HeaderValue>>,
}

/// The configuration is wrong. The text is for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderFault {
    #[error("SVC_KEYWORD_PROVIDER_URL: must be an http or https address")]
    Address,
    #[error("SVC_KEYWORD_PROVIDER_TOKEN: must be visible ASCII")]
    Token,
    #[error("SVC_KEYWORD_PROVIDER_URL: {0}")]
    Client(String),
}

/// What the provider knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Provided {
    pub rows: Vec<ListedKeyword>,
    /// Rows that were wrong.
    pub left_out: usize,
}

/// Why the provider gave nothing. Never with its address or token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    #[error("{0}")]
    Net(#[from] NetError),
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("its answer is not the JSON that was expected")]
    Unreadable,
}

#[derive(Deserialize)]
struct Answered {
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
    /// The operator named this host, so it may be a private one; no other is let through by it.
    pub fn new(address: &str, token: Option<&Secret>) -> Result<Self, ProviderFault> {
        let url = Url::parse(address).map_err(|_| ProviderFault::Address)?;
        let host = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https"));
        let host = host.ok_or(ProviderFault::Address)?;
        let named = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let guard = Guard::allowing([named]).map_err(|fault| ProviderFault::Client(fault.to_string()))?;
        let outbound = Outbound::new(guard).map_err(|fault| ProviderFault::Client(fault.to_string()))?;
        let authorization = token.map(|token| {
            let value = HeaderValue::try_from(format!("Bearer {}", token.expose()));
            value.map(|mut value| {
                value.set_sensitive(true);
                Arc::new(value)
            })
        });
        let authorization = authorization.transpose().map_err(|_| ProviderFault::Token)?;
        Ok(Self { outbound, url, authorization })
    }

    pub async fn ask(&self, query: &Query, language: &str) -> Result<Provided, ProviderError> {
        let body = json!({
            "seeds": query.seeds,
            "language": language,
            "country": query.country,
            "match": query.matching,
            "limit": MOST_ROWS,
        });
        let mut request = Request::post(self.url.clone(), body.to_string());
        request.limits = LIMITS;
        request.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(authorization) = &self.authorization {
            request.headers.insert(header::AUTHORIZATION, HeaderValue::clone(authorization));
        }
        let answer = self.outbound.send(request).await?;
        if !answer.is_success() {
            return Err(ProviderError::Status(answer.status));
        }
        let answer = answer.whole()?;
        let Answered { rows } =
            serde_json::from_slice(&answer.body).map_err(|_| ProviderError::Unreadable)?;
        let mut provided = Provided::default();
        for row in rows.into_iter().take(MOST_ROWS) {
            match serde_json::from_value(row).ok().and_then(listed) {
                Some(row) => provided.rows.push(row),
                None => provided.left_out += 1,
            }
        }
        Ok(provided)
    }
}

fn listed(row: Row) -> Option<ListedKeyword> {
    let within = |number: Option<f64>, most: f64| number.is_none_or(|number| (0.0..=most).contains(&number));
    let is_code = |code: &String| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    if !within(row.difficulty, 100.0) || !within(row.competition, 1.0) || !within(row.cpc, 1e6) {
        return None;
    }
    Some(ListedKeyword {
        keyword: tidy(&row.keyword)?,
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
    fn a_wrong_configuration_is_told_by_its_variable() {
        for address in ["", "ftp://x", "keywords.example"] {
            assert_eq!(Provider::new(address, None).unwrap_err(), ProviderFault::Address, "{address}");
        }
        let token = Secret::new("a\nb".to_owned());
        let fault = Provider::new("https://keywords.example/v1", Some(&token)).unwrap_err();
        assert_eq!(fault, ProviderFault::Token);
    }

    #[test]
    fn neither_token_nor_path_is_shown() {
        let token = Secret::new("hidden-token".to_owned());
        let provider = Provider::new("https://keywords.example/hidden-path", Some(&token)).unwrap();
        assert!(!format!("{provider:?}").contains("hidden"));
    }

    #[test]
    fn a_row_out_of_bounds_is_left_out() {
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
