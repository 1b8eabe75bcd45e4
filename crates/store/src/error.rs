//! Errors of the database: which are worth a retry, and how a refusal leaves a transaction.

use sqlx::error::DatabaseError;

/// Why a transaction is rolled back: the database failed, or the work is refused with `E`.
pub(crate) enum Abort<E> {
    Database(sqlx::Error),
    Refused(E),
}

impl<E> Abort<E> {
    /// Separates a refusal from a failure of the database.
    pub(crate) fn split<T>(result: Result<T, Self>) -> Result<Result<T, E>, sqlx::Error> {
        match result {
            Ok(value) => Ok(Ok(value)),
            Err(Self::Refused(refusal)) => Ok(Err(refusal)),
            Err(Self::Database(error)) => Err(error),
        }
    }

    /// The same with another type of refusal.
    pub(crate) fn map<F>(self, refuse: impl FnOnce(E) -> F) -> Abort<F> {
        match self {
            Self::Database(error) => Abort::Database(error),
            Self::Refused(refusal) => Abort::Refused(refuse(refusal)),
        }
    }
}

impl<E> From<sqlx::Error> for Abort<E> {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

/// Whether the data or the statement is wrong, so that a retry cannot help.
pub(crate) fn is_internal(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Decode(_)
        | sqlx::Error::Encode(_)
        | sqlx::Error::ColumnDecode { .. }
        | sqlx::Error::ColumnNotFound(_)
        | sqlx::Error::ColumnIndexOutOfBounds { .. }
        | sqlx::Error::TypeNotFound { .. }
        | sqlx::Error::RowNotFound => true,
        sqlx::Error::Database(error) => is_internal_code(error.as_ref()),
        _ => false,
    }
}

fn is_internal_code(error: &dyn DatabaseError) -> bool {
    let Some(code) = error.code() else { return false };
    if error.try_downcast_ref::<sqlx::sqlite::SqliteError>().is_some() {
        return code.parse().is_ok_and(is_internal_sqlite);
    }
    is_internal_postgres(&code)
}

/// ERROR, INTERNAL, CORRUPT, TOOBIG, CONSTRAINT, MISMATCH, MISUSE, RANGE and NOTADB. The low byte of an extended code is
/// its primary code (<https://sqlite.org/rescode.html>).
fn is_internal_sqlite(code: i32) -> bool {
    matches!(code & 0xff, 1 | 2 | 11 | 18 | 19 | 20 | 21 | 25 | 26)
}

/// The classes of SQLSTATE for data exceptions (22), constraint violations (23), wrong statements (42) and internal errors
/// such as corruption (XX).
fn is_internal_postgres(sqlstate: &str) -> bool {
    ["22", "23", "42", "XX"].iter().any(|class| sqlstate.starts_with(class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corruption_constraints_and_wrong_statements_are_internal() {
        // CORRUPT, NOTADB, a unique violation, a foreign key violation, no such table.
        for code in [11, 26, 2067, 787, 1] {
            assert!(is_internal_sqlite(code), "{code}");
        }
        for code in ["XX001", "XX002", "23505", "23503", "22P02", "42P01", "42601"] {
            assert!(is_internal_postgres(code), "{code}");
        }
        for error in [sqlx::Error::Decode("unreadable scope".into()), sqlx::Error::RowNotFound] {
            assert!(is_internal(&error), "{error}");
        }
    }

    #[test]
    fn lost_connections_locks_and_overload_are_worth_a_retry() {
        // BUSY, BUSY_SNAPSHOT, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN.
        for code in [5, 517, 6, 7, 8, 9, 10, 13, 14] {
            assert!(!is_internal_sqlite(code), "{code}");
        }
        for code in ["08006", "40001", "40P01", "53300", "55P03", "57014", "57P01", "57P03", "58030", "25006"]
        {
            assert!(!is_internal_postgres(code), "{code}");
        }
        for error in [sqlx::Error::PoolTimedOut, sqlx::Error::PoolClosed, sqlx::Error::WorkerCrashed] {
            assert!(!is_internal(&error), "{error}");
        }
    }
}
