//! What an analysis is asked for, and what it came to.

use std::{marker::PhantomData, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{KeyId, Timestamp};

use super::{Content, Duplicates, Gap, Mentions};
use crate::jobs::WorkStatus;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnalysisKind {
    /// One text or page: language, readability, sentiment, key phrases, target keywords, outline.
    Content,
    /// Who is spoken of, how often and how: the brand and its competitors.
    BrandMentions,
    /// Pages and posts that say nearly the same.
    Duplicates,
    /// Terms that competitors' pages have and the brand's lack.
    Gap,
}

impl AnalysisKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::BrandMentions => "brand_mentions",
            Self::Duplicates => "duplicates",
            Self::Gap => "gap",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such kind of analysis")]
pub struct UnknownKind;

impl FromStr for AnalysisKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        let all = [Self::Content, Self::BrandMentions, Self::Duplicates, Self::Gap];
        all.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownKind)
    }
}

/// What is to be analysed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub kind: AnalysisKind,
    pub url: Option<String>,
    pub text: Option<String>,
    pub target_keywords: Vec<String>,
    pub competitor_urls: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    pub analysis_id: String,
    pub request: Request,
    pub status: WorkStatus,
    /// A [`Measured`] as it was written. Null until it is done.
    pub result: Option<Value>,
    pub failure: Option<String>,
    pub created_at: Timestamp,
    pub created_by_key: KeyId,
    pub finished_at: Option<Timestamp>,
}

/// The result of an analysis: the part of its kind, and what follows from it.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Measured {
    /// Of kind `content`, else null.
    pub content: Option<Content>,
    /// Of kind `brand_mentions`, else null.
    pub mentions: Option<Mentions>,
    /// Of kind `duplicates`, else null.
    pub duplicates: Option<Duplicates>,
    /// Of kind `gap`, else null.
    pub gap: Option<Gap>,
    /// What a person would do something about, in sentences.
    pub findings: Vec<String>,
    /// Pages that could not be read, and why.
    pub unread: Vec<String>,
}

/// A value that was written as a `T` earlier: it is passed on as it is, and its schema is that of `T`.
#[derive(Debug)]
pub struct Kept<T>(Value, PhantomData<T>);

impl<T> Kept<T> {
    pub fn new(value: Value) -> Self {
        Self(value, PhantomData)
    }
}

impl<T> Serialize for Kept<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Kept<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Something about analyses that is to be true.
#[derive(Debug, Clone)]
pub enum AnalysisChange {
    Add(Analysis),
    Begin { analysis_id: String },
    Finish { analysis_id: String, result: Value },
    Fail { analysis_id: String, reason: String },
}
