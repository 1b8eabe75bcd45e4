//! An analysis as it is stored: its request, status and result.

use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{KeyId, Timestamp};

use super::{Content, Duplicates, Gap, Mentions, TextRanking};
use crate::{audit::snippet::clip, jobs::WorkStatus};

const MAX_ABOUT_CHARS: usize = 80;

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::IntoStaticStr,
    strum::EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AnalysisKind {
    /// One text or page: language, readability, sentiment, key phrases, target keywords, outline. With `scope`, many:
    /// hardest to read first.
    Content,
    /// Mentions of the brand and its competitors, with their sentiment.
    BrandMentions,
    /// Pages and posts that are nearly the same.
    Duplicates,
    /// Terms that competitors' pages have and the brand's pages lack.
    Gap,
}

impl AnalysisKind {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Which texts of the brand to analyse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnalysisScope {
    /// The pages of the last audit.
    Pages,
    /// The published posts.
    Posts,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisRequest {
    pub kind: AnalysisKind,
    pub url: Option<String>,
    pub text: Option<String>,
    pub target_keywords: Vec<String>,
    pub competitor_urls: Vec<String>,
    // Left out if none, so that requests of older versions stay equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<AnalysisScope>,
}

impl AnalysisRequest {
    /// The URL, the start of the text, or the scope. `None`: the brand's site and posts.
    pub fn about(&self) -> Option<String> {
        let scope = self.scope.map(|scope| match scope {
            AnalysisScope::Pages => "the brand's pages".to_owned(),
            AnalysisScope::Posts => "the brand's published posts".to_owned(),
        });
        let text = || self.text.as_deref().map(|text| clip(text, MAX_ABOUT_CHARS));
        self.url.clone().or_else(text).or(scope)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    pub analysis_id: String,
    pub request: AnalysisRequest,
    pub status: WorkStatus,
    /// A [`AnalysisResult`] as JSON. `None` until the analysis is done.
    pub result: Option<Value>,
    pub failure: Option<String>,
    pub created_at: Timestamp,
    pub created_by_key: KeyId,
    pub finished_at: Option<Timestamp>,
}

/// What a list shows of an analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisSummary {
    pub analysis_id: String,
    pub kind: AnalysisKind,
    /// See [`AnalysisRequest::about`].
    pub about: Option<String>,
    pub status: WorkStatus,
    pub failure: Option<String>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

impl From<Analysis> for AnalysisSummary {
    fn from(analysis: Analysis) -> Self {
        Self {
            about: analysis.request.about(),
            kind: analysis.request.kind,
            analysis_id: analysis.analysis_id,
            status: analysis.status,
            failure: analysis.failure,
            created_at: analysis.created_at,
            finished_at: analysis.finished_at,
        }
    }
}

/// The result of an analysis.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct AnalysisResult {
    /// Only for kind `content` with a text or URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// Only for kind `content` with a scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranking: Option<TextRanking>,
    /// Only for kind `brand_mentions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mentions: Option<Mentions>,
    /// Only for kind `duplicates`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<Duplicates>,
    /// Only for kind `gap`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// Sentences that say what matters and what to improve. Read these first.
    pub findings: Vec<String>,
    /// Sites that could not be read, or only in part, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// The stored JSON of a `T`. It is returned unchanged, with the schema of `T`.
#[derive(Debug)]
pub struct StoredJson<T>(Value, PhantomData<T>);

impl<T> StoredJson<T> {
    pub fn new(value: Value) -> Self {
        Self(value, PhantomData)
    }
}

impl<T> Serialize for StoredJson<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for StoredJson<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A change to the stored analyses.
#[derive(Debug, Clone)]
pub enum AnalysisChange {
    Add(Analysis),
    Begin { analysis_id: String },
    Finish { analysis_id: String, result: Value },
    Fail { analysis_id: String, reason: String },
}
