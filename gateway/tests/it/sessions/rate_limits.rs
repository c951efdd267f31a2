//! The limits that are counted in the database, as of instants that the test chooses.

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use gateway_environment::config::{Keys, Live, Secret};
use gateway_identity::rate_limit::{
    LimitError, LimitKind, LimitedCaller, PasswordAttemptSource, RateLimiter, delete_full_buckets,
};
use ledger_domain::ids::UserId;
use uuid::Uuid;

use crate::support::database::Database;
use crate::support::noon;

/// Limits without any attempt in them, as of noon: buckets of another key are other buckets.
fn new_limits(database: &Database) -> RateLimiter {
    limits_under(database, *Uuid::new_v4().as_bytes())
}

fn limits_under(database: &Database, key: [u8; 16]) -> RateLimiter {
    let key = *[key, key].as_flattened().as_array().expect("32 bytes");
    let keys = Keys {
        jwt: Live::default(),
        refresh: Secret::new(key),
        sales: Secret::new(Uuid::nil()),
        checkpoint: Live::default(),
    };
    RateLimiter::new(&keys, database.pool.clone()).at(noon())
}

fn after(seconds: i64) -> DateTime<Utc> {
    noon() + TimeDelta::seconds(seconds)
}

fn caller_at(text: &str) -> LimitedCaller {
    LimitedCaller::from_address(text.parse().expect("an address"))
}

fn last_user(number: u128) -> LimitedCaller {
    LimitedCaller::LastUser(UserId::from_uuid(Uuid::from_u128(number)))
}

/// The seconds to wait, if the limit is used up.
fn wait<T>(tried: Result<T, LimitError>) -> Option<u64> {
    match tried {
        Ok(_) => None,
        Err(LimitError::TooMany { retry_after_seconds }) => Some(retry_after_seconds),
        Err(error) => panic!("the database does not count: {error:?}"),
    }
}

async fn try_take(
    limits: &RateLimiter,
    kind: LimitKind,
    second_key: Option<&str>,
    caller: LimitedCaller,
) -> Option<u64> {
    wait(match second_key {
        Some(second_key) => limits.take(kind, second_key, caller).await,
        None => limits.take_by_caller(kind, caller).await,
    })
}

/// The number of calls that pass, one after the other at the same instant.
async fn accepted_calls(
    limits: &RateLimiter,
    kind: LimitKind,
    second_key: Option<&str>,
    caller: LimitedCaller,
) -> usize {
    let mut accepted = 0;
    while try_take(limits, kind, second_key, caller).await.is_none() {
        accepted += 1;
    }
    accepted
}

const fn unknown_device(account: &str, caller: LimitedCaller) -> PasswordAttemptSource<'_> {
    PasswordAttemptSource::UnknownDevice { account, caller }
}

/// The number of wrong passwords that pass, one after the other at the same instant.
async fn accepted_failures(limits: &RateLimiter, source: PasswordAttemptSource<'_>) -> usize {
    let mut accepted = 0;
    while wait(limits.try_password(source).await).is_none() {
        accepted += 1;
    }
    accepted
}

/// The failures on an account that callers at other addresses have left.
async fn failures_of_others(limits: &RateLimiter, account: &str) -> usize {
    let mut accepted = 0;
    for n in 2..60 {
        let caller = caller_at(&format!("192.0.2.{n}"));
        accepted += accepted_failures(limits, unknown_device(account, caller)).await;
    }
    accepted
}

#[tokio::test]
async fn each_kind_has_its_own_allowances() {
    let (database, here) = (Database::create().await, caller_at("192.0.2.1"));
    let expected = [
        (LimitKind::SignIn, 40, 300),
        (LimitKind::PasswordLink, 3, 20),
        (LimitKind::EmailConfirmation, 3, 20),
        (LimitKind::EmailToOther, 60, 200),
        (LimitKind::ContactMessage, 5, 60),
        (LimitKind::CodeUse, 20, 20),
        // The link has 300, but one caller only 200.
        (LimitKind::Order, 200, 200),
        (LimitKind::Card, 5, 150),
        (LimitKind::DeclinedCard, 15, 15),
    ];
    assert_eq!(expected.map(|(kind, ..)| kind), LimitKind::ALL);
    let shared = new_limits(&database);
    for (kind, with_key, by_caller_alone) in expected {
        let passed = accepted_calls(&shared, kind, Some("ana"), here).await;
        assert_eq!(passed, with_key, "{kind:?}: kinds are counted separately");
        let limits = new_limits(&database);
        for caller in [here, caller_at("192.0.2.2"), last_user(1)] {
            let passed = accepted_calls(&limits, kind, None, caller).await;
            assert_eq!(passed, by_caller_alone, "{kind:?} {caller:?}");
        }
    }
}

#[tokio::test]
async fn a_second_key_is_counted_over_all_callers_and_a_caller_over_all_keys() {
    let (database, kind) = (Database::create().await, LimitKind::PasswordLink);
    let limits = new_limits(&database);
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        let passed = accepted_calls(&limits, kind, Some(address), caller_at(address)).await;
        assert_eq!(passed, 3);
    }
    let other = caller_at("192.0.2.9");
    assert_eq!(accepted_calls(&limits, kind, Some("192.0.2.1"), other).await, 0);
    let (limits, here) = (new_limits(&database), caller_at("192.0.2.1"));
    let mut passed = 0;
    for number in 0..30 {
        passed += accepted_calls(&limits, kind, Some(&number.to_string()), here).await;
    }
    assert_eq!(passed, 20);
}

#[tokio::test]
async fn a_refused_try_takes_from_no_bucket() {
    let (database, here) = (Database::create().await, caller_at("192.0.2.1"));
    let (limits, kind) = (new_limits(&database), LimitKind::PasswordLink);
    accepted_calls(&limits, kind, Some("ana"), here).await;
    for _ in 0..50 {
        // One comes back every ten minutes.
        assert_eq!(try_take(&limits, kind, Some("ana"), here).await, Some(600 + 1));
    }
    assert_eq!(
        accepted_calls(&limits, kind, None, here).await,
        20 - 3,
        "only the three accepted calls count"
    );
}

#[tokio::test]
async fn an_attempt_is_refilled_after_its_interval() {
    let database = Database::create().await;
    for (kind, later) in [
        (LimitKind::SignIn, 30),
        (LimitKind::PasswordLink, 600),
        (LimitKind::EmailConfirmation, 600),
    ] {
        let limits = new_limits(&database);
        accepted_calls(&limits, kind, Some("ana"), caller_at("192.0.2.1")).await;
        // From another address, whose limit is not exhausted.
        let other = caller_at("192.0.2.2");
        let before = limits.at(after(later - 1));
        assert_eq!(
            accepted_calls(&before, kind, Some("ana"), other).await,
            0,
            "{kind:?}"
        );
        let then = limits.at(after(later));
        assert_eq!(
            accepted_calls(&then, kind, Some("ana"), other).await,
            1,
            "{kind:?}"
        );
    }
    // Half a second.
    let (limits, here) = (new_limits(&database), caller_at("192.0.2.1"));
    accepted_calls(&limits, LimitKind::Order, None, here).await;
    let later = limits.at(after(4));
    assert_eq!(accepted_calls(&later, LimitKind::Order, None, here).await, 2);
    // A long rest fills a bucket, and not more.
    let rested = limits.at(after(86_400));
    assert_eq!(accepted_calls(&rested, LimitKind::Order, None, here).await, 200);
}

#[tokio::test]
async fn an_ipv6_network_is_one_caller_and_a_mapped_ipv4_is_its_ipv4() {
    let database = Database::create().await;
    let limits = new_limits(&database);
    for (address, passed) in [
        ("2001:db8:1:2::1", 20),
        ("2001:db8:1:2:ffff::9", 0),
        ("2001:db8:1:3::1", 20),
        ("192.0.2.1", 20),
        ("::ffff:192.0.2.1", 0),
    ] {
        let accepted = accepted_calls(&limits, LimitKind::CodeUse, None, caller_at(address)).await;
        assert_eq!(accepted, passed, "{address}");
    }
}

#[tokio::test]
async fn a_known_device_and_a_session_are_counted_separately() {
    let (database, here) = (Database::create().await, caller_at("192.0.2.1"));
    let limits = new_limits(&database);
    accepted_calls(&limits, LimitKind::SignIn, None, here).await;
    assert_eq!(
        accepted_failures(&limits, unknown_device("ana", here)).await,
        0,
        "the address's limit is exhausted"
    );
    let laptop = PasswordAttemptSource::KnownDevice(Uuid::from_u128(1));
    for source in [
        laptop,
        PasswordAttemptSource::KnownDevice(Uuid::from_u128(2)),
        PasswordAttemptSource::Session(Uuid::from_u128(1)),
    ] {
        assert_eq!(accepted_failures(&limits, source).await, 8, "{source:?}");
        assert_eq!(accepted_failures(&limits, source).await, 0, "{source:?}");
    }
    assert_eq!(wait(limits.try_password(laptop).await), Some(30 + 1));
}

#[tokio::test]
async fn unknown_devices_share_the_account_and_one_caller_alone_cannot_exhaust_it() {
    let (database, here) = (Database::create().await, caller_at("192.0.2.1"));
    let limits = new_limits(&database);
    assert_eq!(accepted_failures(&limits, unknown_device("ana", here)).await, 8);
    let by_user = unknown_device("ana", last_user(1));
    assert_eq!(accepted_failures(&limits, by_user).await, 8);
    // Many callers together exhaust the account's limit, for all of them.
    assert_eq!(failures_of_others(&limits, "ana").await, 40 - 8 - 8);
    let another = unknown_device("ana", caller_at("198.51.100.1"));
    assert_eq!(accepted_failures(&limits, another).await, 0);
    assert_eq!(accepted_failures(&limits, unknown_device("bia", here)).await, 8);
}

#[tokio::test]
async fn one_attempt_every_31_seconds_for_hours_locks_no_other_caller_out() {
    let database = Database::create().await;
    let limits = new_limits(&database);
    for number in 0..300 {
        let now = limits.at(after(31 * number));
        accepted_failures(&now, unknown_device("ana", caller_at("192.0.2.1"))).await;
        let owner = now.try_password(unknown_device("ana", caller_at("198.51.100.1")));
        let owner = owner.await;
        owner
            .unwrap_or_else(|_| panic!("locked out at attempt {number}"))
            .succeeded()
            .await;
    }
}

#[tokio::test]
async fn only_wrong_passwords_count() {
    let (database, office) = (Database::create().await, caller_at("192.0.2.1"));
    let limits = new_limits(&database);
    let accounts: Vec<_> = (0..250).map(|n| format!("user {n}")).collect();
    // All attempts begin before the first password has been checked.
    let mut attempts = vec![];
    for account in &accounts {
        let attempt = limits.try_password(unknown_device(account, office)).await;
        attempts.push(attempt.unwrap_or_else(|_| panic!("{account} is locked out")));
    }
    for (number, attempt) in attempts.into_iter().enumerate() {
        if number % 2 == 0 {
            attempt.succeeded().await;
        } else {
            attempt.do_not_count().await;
        }
    }
    assert_eq!(
        accepted_calls(&limits, LimitKind::SignIn, None, office).await,
        300,
        "the address has its whole allowance"
    );
    assert_eq!(failures_of_others(&limits, "user 1").await, 40);
}

#[tokio::test]
async fn a_correct_password_resets_its_caller_and_not_other_unknown_devices() {
    let (database, here) = (Database::create().await, caller_at("192.0.2.1"));
    let limits = new_limits(&database);
    for source in [
        unknown_device("ana", here),
        PasswordAttemptSource::Session(Uuid::from_u128(1)),
    ] {
        for _ in 0..7 {
            assert_eq!(wait(limits.try_password(source).await), None);
        }
        let attempt = limits.try_password(source).await;
        attempt
            .unwrap_or_else(|_| panic!("one is left"))
            .succeeded()
            .await;
        assert_eq!(accepted_failures(&limits, source).await, 8, "{source:?}");
    }
    // The account counts the 7 failures before the correct password and the 8 after it.
    assert_eq!(failures_of_others(&limits, "ana").await, 40 - 7 - 8);
    limits.reset_failures("ana", here).await;
    assert_eq!(accepted_failures(&limits, unknown_device("ana", here)).await, 8);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_at_once_through_two_processes_pass_as_often_as_one_after_the_other() {
    let database = Database::create().await;
    let (key, here) = (*Uuid::new_v4().as_bytes(), caller_at("192.0.2.1"));
    let processes = [limits_under(&database, key), limits_under(&database, key)];
    let calls = (0..200).map(|n| {
        let (limits, kind) = (processes[n % 2].clone(), LimitKind::PasswordLink);
        // Each call takes from the caller and from one of two accounts.
        let account = ["ana", "bia"][n / 2 % 2];
        tokio::spawn(async move { try_take(&limits, kind, Some(account), here).await.is_none() })
    });
    let passed = join_all(calls).await;
    let passed = passed
        .into_iter()
        .filter(|passed| *passed.as_ref().expect("a call"));
    assert_eq!(passed.count(), 3 + 3);
    let left = accepted_calls(&processes[0], LimitKind::PasswordLink, None, here).await;
    assert_eq!(
        left,
        20 - 6,
        "a refused call takes nothing, whatever runs beside it"
    );

    // Attempts that are given back while others take the same buckets leave all of them full.
    let attempts = (0..200).map(|n| {
        let limits = processes[n % 2].clone();
        tokio::spawn(async move {
            let account = format!("user {}", n % 3);
            let tried = limits.try_password(unknown_device(&account, caller_at("192.0.2.2")));
            if let Ok(attempt) = tried.await {
                attempt.do_not_count().await;
            }
        })
    });
    for attempt in join_all(attempts).await {
        attempt.expect("an attempt");
    }
    for account in ["user 0", "user 1", "user 2"] {
        let source = unknown_device(account, caller_at("192.0.2.2"));
        assert_eq!(accepted_failures(&processes[0], source).await, 8, "{account}");
    }
}

#[tokio::test]
async fn full_buckets_are_deleted_and_others_stay() {
    let database = Database::create().await;
    let limits = new_limits(&database);
    let client = database.client().await;
    let now: DateTime<Utc> = client
        .query_one("SELECT clock_timestamp()", &[])
        .await
        .expect("a time")
        .get(0);
    // The first account has been full for a day. The second one is for a while not.
    let (here, kind) = (caller_at("192.0.2.1"), LimitKind::PasswordLink);
    let long_ago = limits.at(now - TimeDelta::days(1));
    assert_eq!(try_take(&long_ago, kind, Some("ana"), here).await, None);
    let soon = limits.at(now + TimeDelta::days(1));
    assert_eq!(
        accepted_calls(&soon, kind, Some("bia"), caller_at("192.0.2.2")).await,
        3
    );
    // Of the account and of the caller.
    assert_eq!(delete_full_buckets(&database.pool).await.expect("a run"), 2);
    assert_eq!(delete_full_buckets(&database.pool).await.expect("a run"), 0);
    assert_eq!(
        accepted_calls(&soon, kind, Some("bia"), caller_at("192.0.2.3")).await,
        0
    );
}

#[tokio::test]
async fn the_table_tells_neither_e_mails_nor_addresses() {
    let database = Database::create().await;
    let (here, account) = (caller_at("192.0.2.1"), "seller/ana@loja.example");
    for limits in [new_limits(&database), new_limits(&database)] {
        let attempt = limits.try_password(unknown_device(account, here)).await;
        assert_eq!(wait(attempt), None);
    }
    let client = database.client().await;
    let rows = client.query("SELECT key, bucket::text FROM rate_limit_bucket bucket", &[]);
    let rows = rows.await.expect("rows");
    assert_eq!(rows.len(), 2 * 3, "a key of the installation is part of each");
    for row in rows {
        let (key, text): (Vec<u8>, &str) = (row.get(0), row.get(1));
        assert_eq!(key.len(), 32);
        for known in [account, "192.0.2.1"] {
            assert!(
                !text.contains(&hex::encode(known)) && !text.contains(known),
                "{text}"
            );
        }
    }
}
