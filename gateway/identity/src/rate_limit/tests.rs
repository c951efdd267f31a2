use super::*;

fn caller_at(text: &str) -> LimitedCaller {
    LimitedCaller::from_address(text.parse().expect("an address"))
}

fn last_user(number: u128) -> LimitedCaller {
    LimitedCaller::LastUser(UserId::from_uuid(Uuid::from_u128(number)))
}

/// The number of attempts that pass, one after the other at the same instant.
fn accepted_calls(
    limits: &RateLimiter,
    kind: LimitKind,
    second_key: Option<&str>,
    caller: LimitedCaller,
    now: Instant,
) -> usize {
    (0..10_000)
        .take_while(|_| {
            limits
                .take_at(BucketUse::of(kind, second_key, caller), now)
                .is_ok()
        })
        .count()
}

const fn unknown_device(account: &str, caller: LimitedCaller) -> PasswordAttemptSource<'_> {
    PasswordAttemptSource::UnknownDevice { account, caller }
}

/// The number of wrong passwords that pass, one after the other at the same instant.
fn accepted_failures(limits: &RateLimiter, source: PasswordAttemptSource, now: Instant) -> usize {
    (0..10_000)
        .take_while(|_| limits.try_password_at(source, now).is_ok())
        .count()
}

#[test]
fn each_kind_has_its_own_allowances() {
    let (start, here) = (Instant::now(), caller_at("192.0.2.1"));
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
        (LimitKind::UnknownCode, 60, 60),
        (LimitKind::Public, 600, 600),
    ];
    assert_eq!(expected.map(|(kind, ..)| kind), LimitKind::ALL);
    for (kind, with_key, by_caller_alone) in expected {
        let limits = RateLimiter::default();
        assert_eq!(
            accepted_calls(&limits, kind, Some("ana"), here, start),
            with_key,
            "{kind:?}"
        );
        let limits = RateLimiter::default();
        assert_eq!(
            accepted_calls(&limits, kind, None, here, start),
            by_caller_alone,
            "{kind:?}"
        );
        for other in [caller_at("192.0.2.2"), last_user(1)] {
            assert_eq!(
                accepted_calls(&limits, kind, None, other, start),
                by_caller_alone,
                "{kind:?} {other:?}"
            );
        }
    }
}

#[test]
fn kinds_are_counted_separately() {
    let (limits, start) = (RateLimiter::default(), Instant::now());
    for kind in LimitKind::ALL {
        let passed = accepted_calls(&limits, kind, Some("ana"), caller_at("192.0.2.1"), start);
        assert!(passed >= 3, "{kind:?}");
    }
}

#[test]
fn a_second_key_is_counted_over_all_callers_and_a_caller_over_all_keys() {
    let (limits, start) = (RateLimiter::default(), Instant::now());
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        let passed = accepted_calls(
            &limits,
            LimitKind::PasswordLink,
            Some(address),
            caller_at(address),
            start,
        );
        assert_eq!(passed, 3);
    }
    assert_eq!(
        accepted_calls(
            &limits,
            LimitKind::PasswordLink,
            Some("192.0.2.1"),
            caller_at("192.0.2.9"),
            start
        ),
        0
    );
    let (limits, here) = (RateLimiter::default(), caller_at("192.0.2.1"));
    let accounts = (0..100).map(|number| {
        accepted_calls(
            &limits,
            LimitKind::PasswordLink,
            Some(&number.to_string()),
            here,
            start,
        )
    });
    assert_eq!(accounts.sum::<usize>(), 20);
}

#[test]
fn a_refused_try_takes_from_no_bucket() {
    let (limits, start, here) = (RateLimiter::default(), Instant::now(), caller_at("192.0.2.1"));
    accepted_calls(&limits, LimitKind::PasswordLink, Some("ana"), here, start);
    for _ in 0..100 {
        assert!(
            limits
                .take_at(BucketUse::of(LimitKind::PasswordLink, Some("ana"), here), start)
                .is_err()
        );
    }
    assert_eq!(
        accepted_calls(&limits, LimitKind::PasswordLink, None, here, start),
        20 - 3,
        "only the three accepted calls count"
    );
}

#[test]
fn an_attempt_is_refilled_after_its_interval() {
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    for (kind, later) in [
        (LimitKind::SignIn, 30),
        (LimitKind::PasswordLink, 600),
        (LimitKind::EmailConfirmation, 600),
    ] {
        let limits = RateLimiter::default();
        accepted_calls(&limits, kind, Some("ana"), caller_at("192.0.2.1"), start);
        // From another address, whose limit is not exhausted.
        let other_address = caller_at("192.0.2.2");
        assert_eq!(
            accepted_calls(&limits, kind, Some("ana"), other_address, at(later - 1)),
            0,
            "{kind:?}"
        );
        assert_eq!(
            accepted_calls(&limits, kind, Some("ana"), other_address, at(later)),
            1,
            "{kind:?}"
        );
    }
    let (limits, here) = (RateLimiter::default(), caller_at("192.0.2.1"));
    accepted_calls(&limits, LimitKind::Public, None, here, start);
    assert_eq!(accepted_calls(&limits, LimitKind::Public, None, here, at(1)), 10);
}

#[test]
fn an_ipv6_network_is_one_caller_and_a_mapped_ipv4_is_its_ipv4() {
    let (limits, start) = (RateLimiter::default(), Instant::now());
    for (address, passed) in [
        ("2001:db8:1:2::1", 20),
        ("2001:db8:1:2:ffff::9", 0),
        ("2001:db8:1:3::1", 20),
        ("192.0.2.1", 20),
        ("::ffff:192.0.2.1", 0),
    ] {
        assert_eq!(
            accepted_calls(&limits, LimitKind::CodeUse, None, caller_at(address), start),
            passed,
            "{address}"
        );
    }
}

#[test]
fn a_known_device_and_a_session_are_counted_separately() {
    let (limits, start, here) = (RateLimiter::default(), Instant::now(), caller_at("192.0.2.1"));
    let laptop = PasswordAttemptSource::KnownDevice(Uuid::from_u128(1));
    for number in 0..300 {
        accepted_failures(&limits, unknown_device(&format!("account {number}"), here), start);
    }
    assert_eq!(
        accepted_failures(&limits, unknown_device("ana", here), start),
        0,
        "the address's limit is exhausted"
    );
    for source in [
        laptop,
        PasswordAttemptSource::KnownDevice(Uuid::from_u128(2)),
        PasswordAttemptSource::Session(Uuid::from_u128(1)),
    ] {
        assert_eq!(accepted_failures(&limits, source, start), 8, "{source:?}");
        assert_eq!(accepted_failures(&limits, source, start), 0, "{source:?}");
    }
    let Err(seconds) = limits.try_password_at(laptop, start) else {
        panic!("the limit must be exhausted");
    };
    assert_eq!(seconds, 30 + 1);
}

#[test]
fn unknown_devices_share_the_account_and_one_caller_alone_cannot_exhaust_it() {
    let (limits, start) = (RateLimiter::default(), Instant::now());
    assert_eq!(
        accepted_failures(&limits, unknown_device("ana", caller_at("192.0.2.1")), start),
        8
    );
    assert_eq!(
        accepted_failures(&limits, unknown_device("ana", last_user(1)), start),
        8
    );
    // Many callers together exhaust the account's limit, for all of them.
    let rest = (2..100).map(|n| {
        accepted_failures(
            &limits,
            unknown_device("ana", caller_at(&format!("192.0.2.{n}"))),
            start,
        )
    });
    assert_eq!(rest.sum::<usize>(), 40 - 8 - 8);
    assert_eq!(
        accepted_failures(&limits, unknown_device("ana", caller_at("198.51.100.1")), start),
        0
    );
    assert_eq!(
        accepted_failures(&limits, unknown_device("bia", caller_at("192.0.2.1")), start),
        8,
        "another account"
    );
}

#[test]
fn one_attempt_every_31_seconds_for_a_day_locks_no_other_caller_out() {
    let (limits, start) = (RateLimiter::default(), Instant::now());
    for number in 0..24 * 60 * 60 / 31 {
        let now = start + Duration::from_secs(31 * number);
        accepted_failures(&limits, unknown_device("ana", caller_at("192.0.2.1")), now);
        let owner = limits.try_password_at(unknown_device("ana", caller_at("198.51.100.1")), now);
        owner
            .unwrap_or_else(|_| panic!("locked out at attempt {number}"))
            .succeeded();
    }
}

#[test]
fn only_wrong_passwords_count() {
    let (limits, start, office) = (RateLimiter::default(), Instant::now(), caller_at("192.0.2.1"));
    // All attempts begin before the first password has been checked.
    let attempts: Vec<_> = (0..250)
        .map(|n| limits.try_password_at(unknown_device(&format!("user {n}"), office), start))
        .collect();
    for (number, attempt) in attempts.into_iter().enumerate() {
        let attempt = attempt.unwrap_or_else(|_| panic!("user {number} is locked out"));
        if number % 2 == 0 {
            attempt.succeeded()
        } else {
            attempt.do_not_count()
        }
    }
    let failures =
        (0..400).map(|n| accepted_failures(&limits, unknown_device(&format!("another {n}"), office), start));
    assert_eq!(
        failures.sum::<usize>(),
        300,
        "the address has its whole allowance"
    );
}

#[test]
fn a_correct_password_resets_its_caller_and_not_other_unknown_devices() {
    let (limits, start, here) = (RateLimiter::default(), Instant::now(), caller_at("192.0.2.1"));
    for source in [
        unknown_device("ana", here),
        PasswordAttemptSource::Session(Uuid::from_u128(1)),
    ] {
        for _ in 0..7 {
            drop(limits.try_password_at(source, start));
        }
        let attempt = limits.try_password_at(source, start);
        attempt.unwrap_or_else(|_| panic!("one is left")).succeeded();
        assert_eq!(accepted_failures(&limits, source, start), 8, "{source:?}");
    }
    // The account counts the 7 failures before the correct password and the 8 after it.
    let rest = (2..100).map(|n| {
        accepted_failures(
            &limits,
            unknown_device("ana", caller_at(&format!("192.0.2.{n}"))),
            start,
        )
    });
    assert_eq!(rest.sum::<usize>(), 40 - 7 - 8);
    limits.reset_failures("ana", here);
    assert_eq!(accepted_failures(&limits, unknown_device("ana", here), start), 8);
}
