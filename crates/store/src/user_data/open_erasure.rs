//! The erasures of users that are not done, as the database stores them.

use sqlx_macros::FromRow;
use svc_mcp_access::UserId;

use super::{
    position::Position,
    pseudonymizer::{PersonalData, Pseudonymizer},
};
use crate::{parse_column, parse_json_column};

/// An erasure that is not done.
#[derive(Debug)]
pub(super) struct OpenErasure {
    pub(super) receipt_id: String,
    pub(super) requested_by: UserId,
    pub(super) pseudonymizer: Pseudonymizer,
    /// `None`: memberships and keys have not all ended.
    pub(super) position: Option<Position>,
    pub(super) is_second_search: bool,
}

#[derive(FromRow)]
pub(super) struct OpenRow {
    receipt_id: String,
    subject: String,
    requested_by: String,
    erasing_user: String,
    traces: String,
    position: Option<String>,
    rows_deleted_at: Option<i64>,
}

impl TryFrom<OpenRow> for OpenErasure {
    type Error = sqlx::Error;

    fn try_from(row: OpenRow) -> Result<Self, sqlx::Error> {
        let personal_data: PersonalData = parse_json_column(&row.traces, "personal data of a user")?;
        let pseudonymizer = Pseudonymizer::new(
            parse_column(&row.erasing_user, "user id")?,
            parse_column(&row.subject, "pseudonym")?,
            personal_data,
        );
        let position = row.position.map(|position| parse_json_column(&position, "position of a search"));
        Ok(Self {
            receipt_id: row.receipt_id,
            requested_by: parse_column(&row.requested_by, "user id")?,
            pseudonymizer,
            position: position.transpose()?,
            is_second_search: row.rows_deleted_at.is_some(),
        })
    }
}
