//! The operator's API: plans, brands and members.

pub(crate) mod brands;
pub(crate) mod members;
pub(crate) mod plans;

use axum::extract::FromRequestParts;
use http::request::Parts;

use super::problem::Problem;

/// An id in the path. One that could not be anybody's is answered like one that is nobody's.
#[derive(Debug)]
pub(crate) struct PathIds<T>(pub(crate) T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned + Send> FromRequestParts<S> for PathIds<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Self(path.0)).map_err(|_| Problem::not_found("id"))
    }
}
