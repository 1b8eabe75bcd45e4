//! Sign-in codes and sessions of people. They belong to a user and to no brand. Nothing of them is cached, so the end of a
//! session is effective for the next request on every instance.

use sqlx_macros::FromRow;
use svc_mcp_access::{
    StoreError, Timestamp, UserId,
    session::{MAX_CODES_PER_USER, MAX_SESSIONS_PER_USER, Session, SignInDigest, SignInGrant},
};

use crate::{
    Store,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    brand_data::set_secure_delete,
    engine::{Tx, query, transaction, within},
    error::Abort,
    parse_column,
};

/// The session that a sign-in starts.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub digest: SignInDigest,
    pub at: Timestamp,
    /// The session that the browser has now. It ends.
    pub replaces: Option<SignInDigest>,
    /// Whether that may be the session of another user.
    pub replaces_other_user: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    #[error("the code is unknown, used or expired")]
    CodeInvalid,
    /// Nothing was changed, and the code can still be used.
    #[error("the browser has a session of another user")]
    OtherUser {
        /// Who would be signed in.
        user_id: UserId,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(FromRow)]
struct SessionRow {
    user_id: String,
    operator: i64,
    expires_at: i64,
}

#[derive(FromRow)]
struct CodeRow {
    operator: i64,
    ends_at: i64,
}

impl Store {
    pub async fn add_sign_in_code(
        &self,
        code: &SignInDigest,
        grant: &SignInGrant,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.run("add_sign_in_code", async {
            transaction!(&self.engine, |tx| {
                lock_sign_in(&mut Tx::from(&mut *tx), &grant.user_id).await?;
                sqlx::query(
                    "INSERT INTO sign_in_codes (digest, user_id, expires_at, ends_at, operator) \
                     VALUES ($1, $2, $3, $4, $5)",
                )
                .bind(code.as_bytes())
                .bind(grant.user_id.as_str())
                .bind(grant.code_expires_at(now).millis())
                .bind(grant.ends_at.millis())
                .bind(i64::from(grant.operator))
                .execute(&mut *tx)
                .await?;
                let sql = format!(
                    "DELETE FROM sign_in_codes WHERE user_id = $1 AND digest NOT IN (SELECT digest FROM sign_in_codes \
                     WHERE user_id = $1 ORDER BY CASE WHEN digest = $2 THEN 0 ELSE 1 END, expires_at DESC \
                     LIMIT {MAX_CODES_PER_USER})"
                );
                sqlx::query(sqlx::AssertSqlSafe(sql))
                    .bind(grant.user_id.as_str())
                    .bind(code.as_bytes())
                    .execute(&mut *tx)
                    .await?;
            })
        })
        .await
    }

    /// Starts a session with a code, which cannot be used again.
    pub async fn exchange_code(&self, code: &SignInDigest, new: &NewSession) -> Result<Session, SignInError> {
        // Codes that do not exist cost no transaction, which in SQLite would wait for the writers.
        let user = self
            .run("find_sign_in_code", async {
                let sql = "SELECT user_id FROM sign_in_codes WHERE digest = $1";
                let user: Option<String> = query!(&self.engine, |db| sqlx::query_scalar(sql)
                    .bind(code.as_bytes())
                    .fetch_optional(db)
                    .await)?;
                user.map(|user| parse_column::<UserId>(&user, "user id")).transpose()
            })
            .await?;
        let user_id = user.ok_or(SignInError::CodeInvalid)?;
        let work = async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                lock_sign_in(&mut tx, &user_id).await?;
                let sql = "DELETE FROM sign_in_codes WHERE digest = $1 AND expires_at > $2 RETURNING operator, ends_at";
                let row: Option<CodeRow> = within!(&mut tx, |db| sqlx::query_as(sql)
                    .bind(code.as_bytes())
                    .bind(new.at.millis())
                    .fetch_optional(db)
                    .await)?;
                let CodeRow { operator, ends_at } = row.ok_or(Abort::Refused(SignInError::CodeInvalid))?;
                let (operator, ends_at) = (operator != 0, Timestamp::from_millis(ends_at));
                let grant = SignInGrant { user_id, operator, ends_at };
                add_session(&mut tx, &grant, new).await?
            })
        };
        self.run_or_refuse("exchange_code", work).await
    }

    /// Starts a session of the holder of an application token.
    pub async fn create_session(
        &self,
        grant: &SignInGrant,
        new: &NewSession,
    ) -> Result<Session, SignInError> {
        let work = async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                lock_sign_in(&mut tx, &grant.user_id).await?;
                add_session(&mut tx, grant, new).await?
            })
        };
        self.run_or_refuse("create_session", work).await
    }

    /// `None`: the session is unknown, or has ended.
    pub async fn session(
        &self,
        session: &SignInDigest,
        now: Timestamp,
    ) -> Result<Option<Session>, StoreError> {
        self.run("session", async {
            let row: Option<SessionRow> = query!(&self.engine, |db| sqlx::query_as(SESSION)
                .bind(session.as_bytes())
                .bind(now.millis())
                .fetch_optional(db)
                .await)?;
            row.map(SessionRow::decode).transpose()
        })
        .await
    }

    pub async fn end_session(&self, session: &SignInDigest) -> Result<(), StoreError> {
        self.run("end_session", async {
            transaction!(&self.engine, |tx| {
                delete_session(&mut Tx::from(&mut *tx), session).await?;
            })
        })
        .await
    }

    /// Ends all sessions and codes of a user, for the operator. Returns the number of sessions.
    pub async fn end_user_sessions(&self, user: &UserId, now: Timestamp) -> Result<u64, StoreError> {
        let work = async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                lock_sign_in(&mut tx, user).await?;
                let mut ended = Vec::new();
                for sql in [
                    "DELETE FROM sessions WHERE user_id = $1 AND expires_at > $2",
                    "DELETE FROM sign_in_codes WHERE user_id = $1 AND expires_at > $2",
                ] {
                    let (user, now) = (user.as_str(), now.millis());
                    ended.push(within!(&mut tx, |db| sqlx::query(sql)
                        .bind(user)
                        .bind(now)
                        .execute(db)
                        .await
                        .map(|done| done.rows_affected()))?);
                }
                let record = NewAuditRecord::new(AuditAction::SessionsEnd, None, user.as_str())
                    .with_before(&Fields::default().show("sessions", ended[0]).show("codes", ended[1]));
                self.add_audit_records(&mut tx, ended.iter().any(|count| *count > 0).then_some(record))
                    .await?;
                ended[0]
            })
        };
        let work = Box::pin(work);
        self.run("end_user_sessions", work).await
    }

    /// Ends all sessions and codes of a user.
    pub(crate) async fn end_sessions_of(&self, user: &UserId) -> Result<(), StoreError> {
        self.run_patiently("end_sessions_of", async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                lock_sign_in(&mut tx, user).await?;
                // SQLite then overwrites what it deletes.
                set_secure_delete(&mut tx, true).await?;
                for sql in [
                    "DELETE FROM sign_in_codes WHERE user_id = $1",
                    "DELETE FROM sessions WHERE user_id = $1",
                ] {
                    let user = user.as_str();
                    within!(&mut tx, |db| sqlx::query(sql).bind(user).execute(db).await.map(|_| ()))?;
                }
                set_secure_delete(&mut tx, false).await?;
            })
        })
        .await
    }

    /// Ends all sessions and codes. After a restore, sessions that people have ended would work again.
    pub(crate) async fn end_all_sessions(&self) -> Result<(), StoreError> {
        self.run_patiently("end_all_sessions", async {
            transaction!(&self.engine, |tx| {
                for sql in ["DELETE FROM sign_in_codes", "DELETE FROM sessions"] {
                    sqlx::query(sql).execute(&mut *tx).await?;
                }
            })
        })
        .await
    }
}

const SESSION: &str =
    "SELECT user_id, operator, expires_at FROM sessions WHERE digest = $1 AND expires_at > $2";

impl SessionRow {
    fn decode(self) -> Result<Session, sqlx::Error> {
        let user_id = parse_column(&self.user_id, "user id")?;
        let (operator, expires_at) = (self.operator != 0, Timestamp::from_millis(self.expires_at));
        Ok(Session { user_id, operator, expires_at })
    }
}

/// Sign-ins of one user run one after the other, so that their number is exact. SQLite has one writer anyway.
async fn lock_sign_in(tx: &mut Tx<'_>, user: &UserId) -> Result<(), sqlx::Error> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('sign-in of ' || $1, 0))";
    if let Tx::Postgres(connection) = tx {
        sqlx::query(LOCK).bind(user.as_str()).execute(&mut **connection).await?;
    }
    Ok(())
}

async fn delete_session(tx: &mut Tx<'_>, session: &SignInDigest) -> Result<(), sqlx::Error> {
    let sql = "DELETE FROM sessions WHERE digest = $1";
    within!(tx, |db| sqlx::query(sql).bind(session.as_bytes()).execute(db).await.map(|_| ()))
}

async fn add_session(
    tx: &mut Tx<'_>,
    grant: &SignInGrant,
    new: &NewSession,
) -> Result<Session, Abort<SignInError>> {
    if let Some(old) = &new.replaces {
        let row: Option<SessionRow> = within!(&mut *tx, |db| sqlx::query_as(SESSION)
            .bind(old.as_bytes())
            .bind(new.at.millis())
            .fetch_optional(db)
            .await)?;
        let is_other_user = row.is_some_and(|row| row.user_id != grant.user_id.as_str());
        if is_other_user && !new.replaces_other_user {
            return Err(Abort::Refused(SignInError::OtherUser { user_id: grant.user_id.clone() }));
        }
        delete_session(tx, old).await?;
    }
    let expires_at = grant.session_expires_at(new.at);
    let sql = "INSERT INTO sessions (digest, user_id, created_at, expires_at, operator) VALUES ($1, $2, $3, $4, $5)";
    within!(&mut *tx, |db| sqlx::query(sql)
        .bind(new.digest.as_bytes())
        .bind(grant.user_id.as_str())
        .bind(new.at.millis())
        .bind(expires_at.millis())
        .bind(i64::from(grant.operator))
        .execute(db)
        .await
        .map(|_| ()))?;
    let sql = format!(
        "DELETE FROM sessions WHERE user_id = $1 AND digest NOT IN (SELECT digest FROM sessions WHERE user_id = $1 \
         ORDER BY CASE WHEN digest = $2 THEN 0 ELSE 1 END, created_at DESC LIMIT {MAX_SESSIONS_PER_USER})"
    );
    within!(&mut *tx, |db| sqlx::query(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(grant.user_id.as_str())
        .bind(new.digest.as_bytes())
        .execute(db)
        .await
        .map(|_| ()))?;
    Ok(Session { user_id: grant.user_id.clone(), operator: grant.operator, expires_at })
}
