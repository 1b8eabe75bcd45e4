//! Sign-in codes and sessions.

use std::time::Duration;

use svc_mcp_access::{
    Timestamp, UserId,
    session::{
        MAX_CODES_PER_USER, MAX_SESSIONS_PER_USER, Session, SessionToken, SignInCode, SignInDigest,
        SignInGrant,
    },
};
use svc_mcp_store::{NewErasure, NewSession, NewUserErasure, SignInError};

use crate::{
    make::{NOW, after, id},
    world::{World, at_once, retried},
};

on_both_engines! {
    a_code_starts_one_session_however_often_it_is_sent,
    a_code_and_a_session_end_in_time,
    a_code_and_a_session_keep_the_operator_role_and_end_after_an_hour,
    another_users_session_is_replaced_only_on_purpose,
    numbers_of_codes_and_sessions_are_bounded,
    ended_rows_are_pruned,
    an_erasure_ends_the_sessions_before_its_answer,
}

const HOUR: i64 = 3_600_000;

fn grant(user: &str, lasts: i64) -> SignInGrant {
    SignInGrant { user_id: id(user), operator: false, ends_at: after(lasts) }
}

async fn code(world: &World, grant: &SignInGrant) -> SignInDigest {
    let digest = SignInCode::generate(&mut world.entropy.clone()).digest();
    world.store.add_sign_in_code(&digest, grant, NOW).await.expect("a code");
    digest
}

fn new_session(world: &World, at: Timestamp, replaces: Option<SignInDigest>) -> NewSession {
    let digest = SessionToken::generate(&mut world.entropy.clone()).digest();
    NewSession { digest, at, replaces, replaces_other_user: false }
}

async fn session(world: &World, grant: &SignInGrant, at: Timestamp) -> SignInDigest {
    let new = new_session(world, at, None);
    world.store.create_session(grant, &new).await.expect("a session");
    new.digest
}

async fn user_of(world: &World, session: &SignInDigest, at: Timestamp) -> Option<UserId> {
    let found = world.store.session(session, at).await.expect("the store answers");
    found.map(|session| session.user_id)
}

async fn count(world: &World, table: &str) -> i64 {
    world.raw.number(&format!("SELECT COUNT(*) FROM {table}")).await
}

async fn a_code_starts_one_session_however_often_it_is_sent(world: &World) {
    let code = code(world, &grant("ada", HOUR)).await;
    let exchanges = (0..8).map(|_| {
        let (store, new) = (world.store.clone(), new_session(world, NOW, None));
        async move { retried(|| store.exchange_code(&code, &new)).await }
    });
    let results = at_once(exchanges.collect::<Vec<_>>()).await;
    let started: Vec<_> = results.iter().flatten().collect();
    assert_eq!(started, [&Session { user_id: id("ada"), operator: false, expires_at: after(HOUR) }]);
    let refused = results.iter().filter(|result| **result == Err(SignInError::CodeInvalid)).count();
    assert_eq!(refused, 7, "{results:?}");
    assert_eq!((count(world, "sessions").await, count(world, "sign_in_codes").await), (1, 0));
}

async fn a_code_and_a_session_end_in_time(world: &World) {
    let (long, short) = (grant("ada", 24 * HOUR), grant("ada", 10_000));
    for (grant, lasts) in [(&long, 60_000), (&short, 10_000)] {
        let new = new_session(world, after(lasts), None);
        let late = code(world, grant).await;
        assert_eq!(world.store.exchange_code(&late, &new).await, Err(SignInError::CodeInvalid));
        let new = new_session(world, after(lasts - 1), None);
        let in_time = code(world, grant).await;
        let session = world.store.exchange_code(&in_time, &new).await.expect("in time");
        // The code was made a while ago, and the token ends no later for that.
        let expires_at = new.at.plus(Duration::from_hours(12)).min(grant.ends_at);
        assert_eq!(session.expires_at, expires_at);
        let last = Timestamp::from_millis(expires_at.millis() - 1);
        assert_eq!(user_of(world, &new.digest, last).await, Some(id("ada")));
        assert_eq!(user_of(world, &new.digest, expires_at).await, None);
    }
    let ended = session(world, &long, NOW).await;
    let other = session(world, &long, NOW).await;
    let elsewhere = world.another_process().await;
    elsewhere.end_session(&ended).await.expect("it ends");
    assert_eq!(user_of(world, &ended, NOW).await, None, "it ends on every instance");
    assert_eq!(user_of(world, &other, NOW).await, Some(id("ada")));
    world.store.end_session(&ended).await.expect("a second time");
    elsewhere.close().await;
}

async fn a_code_and_a_session_keep_the_operator_role_and_end_after_an_hour(world: &World) {
    for operator in [true, false] {
        let grant = SignInGrant { operator, ..grant("olga", 24 * HOUR) };
        let (by_code, by_token) = (new_session(world, NOW, None), new_session(world, NOW, None));
        let code = code(world, &grant).await;
        let expected = Session {
            user_id: id("olga"),
            operator,
            expires_at: after(if operator { HOUR } else { 12 * HOUR }),
        };
        assert_eq!(world.store.exchange_code(&code, &by_code).await.as_ref(), Ok(&expected));
        assert_eq!(world.store.create_session(&grant, &by_token).await.as_ref(), Ok(&expected));
        for new in [by_code, by_token] {
            assert_eq!(world.store.session(&new.digest, NOW).await, Ok(Some(expected.clone())));
        }
    }
}

async fn another_users_session_is_replaced_only_on_purpose(world: &World) {
    let old = session(world, &grant("ada", HOUR), NOW).await;
    let code = code(world, &grant("bob", HOUR)).await;
    let new = new_session(world, NOW, Some(old));
    let refused = Err(SignInError::OtherUser { user_id: id("bob") });
    assert_eq!(world.store.exchange_code(&code, &new).await, refused);
    assert_eq!(world.store.create_session(&grant("bob", HOUR), &new).await, refused);
    assert_eq!(user_of(world, &old, NOW).await, Some(id("ada")));
    assert_eq!(user_of(world, &new.digest, NOW).await, None);

    let on_purpose = NewSession { replaces_other_user: true, ..new };
    world.store.exchange_code(&code, &on_purpose).await.expect("the code still works");
    assert_eq!(user_of(world, &old, NOW).await, None, "the old session has ended");
    assert_eq!(user_of(world, &on_purpose.digest, NOW).await, Some(id("bob")));

    // The user's own session and a session that has ended are replaced without a question.
    let own = new_session(world, NOW, Some(on_purpose.digest));
    world.store.create_session(&grant("bob", HOUR), &own).await.expect("the same user");
    assert_eq!(user_of(world, &on_purpose.digest, NOW).await, None);
    let later = new_session(world, after(HOUR), Some(own.digest));
    world.store.create_session(&grant("ada", 2 * HOUR), &later).await.expect("the other session has ended");
}

async fn numbers_of_codes_and_sessions_are_bounded(world: &World) {
    let (grant, other) = (grant("ada", HOUR), grant("bob", HOUR));
    let others = (session(world, &other, NOW).await, code(world, &other).await);
    let (mut sessions, mut codes) = (Vec::new(), Vec::new());
    for number in 0..i64::from(MAX_SESSIONS_PER_USER) + 3 {
        sessions.push(session(world, &grant, after(number)).await);
        codes.push(code(world, &grant).await);
        assert_eq!(user_of(world, &sessions[sessions.len() - 1], after(number)).await, Some(id("ada")));
    }
    for (number, session) in sessions.iter().enumerate() {
        let expected = (number >= 3).then(|| id("ada"));
        assert_eq!(user_of(world, session, after(100)).await, expected, "{number}");
    }
    let new = new_session(world, NOW, None);
    world.store.exchange_code(&codes[codes.len() - 1], &new).await.expect("the newest code works");
    assert_eq!(count(world, "sessions").await, i64::from(MAX_SESSIONS_PER_USER) + 1);
    assert_eq!(count(world, "sign_in_codes").await, i64::from(MAX_CODES_PER_USER));
    assert_eq!(user_of(world, &others.0, NOW).await, Some(id("bob")));
    world.store.exchange_code(&others.1, &new_session(world, NOW, None)).await.expect("another user's code");
}

async fn ended_rows_are_pruned(world: &World) {
    session(world, &grant("ada", 1_000), NOW).await;
    code(world, &grant("ada", 1_000)).await;
    let kept = session(world, &grant("ada", HOUR), NOW).await;
    assert_eq!(world.store.prune(after(1_000)).await, Ok(0));
    assert_eq!(world.store.prune(after(1_001)).await, Ok(2));
    assert_eq!(user_of(world, &kept, after(1_001)).await, Some(id("ada")));
    assert_eq!((count(world, "sessions").await, count(world, "sign_in_codes").await), (1, 0));
}

async fn an_erasure_ends_the_sessions_before_its_answer(world: &World) {
    let (erased, other) = (grant("ada", HOUR), grant("bob", HOUR));
    let (ended, kept) = (session(world, &erased, NOW).await, session(world, &other, NOW).await);
    let code = code(world, &erased).await;
    let new = NewUserErasure {
        erasure: NewErasure { receipt_id: "era_1".into(), requested_at: NOW, requested_by: id("olga") },
        pseudonym: id("erased_1"),
        event_prefix: "evt_1".into(),
    };
    world.store.begin_user_erasure(&id("ada"), &new).await.expect("it begins");
    assert_eq!(user_of(world, &ended, NOW).await, None);
    assert_eq!(user_of(world, &kept, NOW).await, Some(id("bob")));
    let exchanged = world.store.exchange_code(&code, &new_session(world, NOW, None)).await;
    assert_eq!(exchanged, Err(SignInError::CodeInvalid));
}
