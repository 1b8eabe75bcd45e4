use axum::extract::{FromRequestParts, Path};
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::http::problem::Problem;

/// The ids in the path. A malformed id is answered like an unknown one.
#[derive(Debug)]
pub(crate) struct PathIds<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathIds<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Self(path.0)).map_err(|_| Problem::not_found("id"))
    }
}
