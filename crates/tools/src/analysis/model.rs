//! An analysis as it is stored: its request, status and result.

use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{KeyId, Timestamp};

use super::{Content, Duplicates, Gap, Mentions};
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
    /// One text or page: language, readability, sentiment, key phrases, target keywords, outline.
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisRequest {
    pub kind: AnalysisKind,
    pub url: Option<String>,
    pub text: Option<String>,
    pub target_keywords: Vec<String>,
    pub competitor_urls: Vec<String>,
}

impl AnalysisRequest {
    /// The URL or the start of the text. `None`: the brand's site and posts.
    pub fn about(&self) -> Option<String> {
        self.url.clone().or_else(|| self.text.as_deref().map(|text| clip(text, MAX_ABOUT_CHARS)))
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
    /// Null unless the kind is `content`.
    pub content: Option<Content>,
    /// Null unless the kind is `brand_mentions`.
    pub mentions: Option<Mentions>,
    /// Null unless the kind is `duplicates`.
    pub duplicates: Option<Duplicates>,
    /// Null unless the kind is `gap`.
    pub gap: Option<Gap>,
    /// Sentences that say what to improve.
    pub findings: Vec<String>,
    /// Sites that could not be read, or only in part, with the reason.
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
