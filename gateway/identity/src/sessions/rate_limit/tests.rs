use super::*;

fn from(text: &str) -> Caller {
    Caller::at(text.parse().expect("an address"))
}

fn device(number: u128) -> Caller {
    Caller::Device(UserId::from_uuid(Uuid::from_u128(number)))
}

/// The number of attempts that pass, one after the other at the same instant.
fn tries(limits: &Limits, kind: Kind, account: Option<&str>, caller: Caller, now: Instant) -> usize {
    (0..10_000)
        .take_while(|_| limits.draw_at(BucketUse::of(kind, account, caller), now).is_ok())
        .count()
}

const fn stranger(account: &str, caller: Caller) -> PasswordAttemptKind<'_> {
    PasswordAttemptKind::UnknownDevice { account, caller }
}

/// The number of wrong passwords that pass, one after the other at the same instant.
fn wrong(limits: &Limits, guesser: PasswordAttemptKind, now: Instant) -> usize {
    (0..10_000)
        .take_while(|_| limits.try_password_at(guesser, now).is_ok())
        .count()
}

#[test]
fn each_kind_has_its_own_allowances() {
    let (start, here) = (Instant::now(), from("192.0.2.1"));
    for (kind, of_account, of_caller) in [
        (Kind::SignIn, 40, 300),
        (Kind::Forgot, 3, 20),
        (Kind::Confirm, 3, 20),
        (Kind::Email, 60, 200),
        (Kind::Code, 20, 20),
        (Kind::Public, 600, 600),
    ] {
        let limits = Limits::default();
        assert_eq!(
            tries(&limits, kind, Some("ana"), here, start),
            of_account,
            "{kind:?}"
        );
        let limits = Limits::default();
        assert_eq!(tries(&limits, kind, None, here, start), of_caller, "{kind:?}");
        for other in [from("192.0.2.2"), device(1)] {
            assert_eq!(
                tries(&limits, kind, None, other, start),
                of_caller,
                "{kind:?} {other:?}"
            );
        }
    }
}

#[test]
fn kinds_are_counted_separately() {
    let (limits, start) = (Limits::default(), Instant::now());
    for kind in Kind::ALL {
        let passed = tries(&limits, kind, Some("ana"), from("192.0.2.1"), start);
        assert!(passed >= 3, "{kind:?}");
    }
}

#[test]
fn an_account_is_counted_over_all_callers_and_a_caller_over_all_accounts() {
    let (limits, start) = (Limits::default(), Instant::now());
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        let passed = tries(&limits, Kind::Forgot, Some(address), from(address), start);
        assert_eq!(passed, 3);
    }
    assert_eq!(
        tries(&limits, Kind::Forgot, Some("192.0.2.1"), from("192.0.2.9"), start),
        0
    );
    let (limits, here) = (Limits::default(), from("192.0.2.1"));
    let accounts =
        (0..100).map(|number| tries(&limits, Kind::Forgot, Some(&number.to_string()), here, start));
    assert_eq!(accounts.sum::<usize>(), 20);
}

#[test]
fn a_refused_try_takes_from_no_bucket() {
    let (limits, start, here) = (Limits::default(), Instant::now(), from("192.0.2.1"));
    tries(&limits, Kind::Forgot, Some("ana"), here, start);
    for _ in 0..100 {
        assert!(
            limits
                .draw_at(BucketUse::of(Kind::Forgot, Some("ana"), here), start)
                .is_err()
        );
    }
    assert_eq!(
        tries(&limits, Kind::Forgot, None, here, start),
        17,
        "the three accepted attempts count"
    );
}

#[test]
fn an_attempt_is_refilled_after_its_interval() {
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    for (kind, later) in [(Kind::SignIn, 30), (Kind::Forgot, 600), (Kind::Confirm, 600)] {
        let limits = Limits::default();
        tries(&limits, kind, Some("ana"), from("192.0.2.1"), start);
        // From another address, whose limit is not exhausted.
        let elsewhere = from("192.0.2.2");
        assert_eq!(
            tries(&limits, kind, Some("ana"), elsewhere, at(later - 1)),
            0,
            "{kind:?}"
        );
        assert_eq!(
            tries(&limits, kind, Some("ana"), elsewhere, at(later)),
            1,
            "{kind:?}"
        );
    }
    let (limits, here) = (Limits::default(), from("192.0.2.1"));
    tries(&limits, Kind::Public, None, here, start);
    assert_eq!(tries(&limits, Kind::Public, None, here, at(1)), 10);
}

#[test]
fn an_ipv6_network_is_one_caller_and_a_mapped_ipv4_is_its_ipv4() {
    let (limits, start) = (Limits::default(), Instant::now());
    for (address, passed) in [
        ("2001:db8:1:2::1", 20),
        ("2001:db8:1:2:ffff::9", 0),
        ("2001:db8:1:3::1", 20),
        ("192.0.2.1", 20),
        ("::ffff:192.0.2.1", 0),
    ] {
        assert_eq!(
            tries(&limits, Kind::Code, None, from(address), start),
            passed,
            "{address}"
        );
    }
}

#[test]
fn a_known_device_and_a_session_are_counted_separately() {
    let (limits, start, here) = (Limits::default(), Instant::now(), from("192.0.2.1"));
    let laptop = PasswordAttemptKind::KnownDevice(Uuid::from_u128(1));
    for number in 0..300 {
        wrong(&limits, stranger(&format!("account {number}"), here), start);
    }
    assert_eq!(
        wrong(&limits, stranger("ana", here), start),
        0,
        "the address's limit is exhausted"
    );
    for guesser in [
        laptop,
        PasswordAttemptKind::KnownDevice(Uuid::from_u128(2)),
        PasswordAttemptKind::Session(Uuid::from_u128(1)),
    ] {
        assert_eq!(wrong(&limits, guesser, start), 8, "{guesser:?}");
        assert_eq!(wrong(&limits, guesser, start), 0, "{guesser:?}");
    }
    let Err(seconds) = limits.try_password_at(laptop, start) else {
        panic!("the limit must be exhausted");
    };
    assert_eq!(seconds, 31);
}

#[test]
fn unknown_devices_share_the_account_and_one_caller_alone_cannot_exhaust_it() {
    let (limits, start) = (Limits::default(), Instant::now());
    assert_eq!(wrong(&limits, stranger("ana", from("192.0.2.1")), start), 8);
    assert_eq!(wrong(&limits, stranger("ana", device(1)), start), 8);
    // Many callers together exhaust the account's limit, for all of them.
    let rest = (2..100).map(|n| wrong(&limits, stranger("ana", from(&format!("192.0.2.{n}"))), start));
    assert_eq!(rest.sum::<usize>(), 40 - 16);
    assert_eq!(wrong(&limits, stranger("ana", from("198.51.100.1")), start), 0);
    assert_eq!(
        wrong(&limits, stranger("bia", from("192.0.2.1")), start),
        8,
        "another account"
    );
}

#[test]
fn one_attempt_every_31_seconds_for_a_day_locks_no_other_caller_out() {
    let (limits, start) = (Limits::default(), Instant::now());
    for number in 0..24 * 60 * 60 / 31 {
        let now = start + Duration::from_secs(31 * number);
        wrong(&limits, stranger("ana", from("192.0.2.1")), now);
        let owner = limits.try_password_at(stranger("ana", from("198.51.100.1")), now);
        owner
            .unwrap_or_else(|_| panic!("locked out at attempt {number}"))
            .succeeded();
    }
}

#[test]
fn only_failures_count() {
    let (limits, start, office) = (Limits::default(), Instant::now(), from("192.0.2.1"));
    // All attempts begin before the first password has been checked.
    let attempts: Vec<_> = (0..250)
        .map(|n| limits.try_password_at(stranger(&format!("person {n}"), office), start))
        .collect();
    for (number, attempt) in attempts.into_iter().enumerate() {
        let attempt = attempt.unwrap_or_else(|_| panic!("user {number} is locked out"));
        if number % 2 == 0 {
            attempt.succeeded()
        } else {
            attempt.undecided()
        }
    }
    let failures = (0..400).map(|n| wrong(&limits, stranger(&format!("another {n}"), office), start));
    assert_eq!(failures.sum::<usize>(), 300);
}

#[test]
fn a_right_password_resets_its_caller_and_not_other_unknown_devices() {
    let (limits, start, here) = (Limits::default(), Instant::now(), from("192.0.2.1"));
    for guesser in [
        stranger("ana", here),
        PasswordAttemptKind::Session(Uuid::from_u128(1)),
    ] {
        for _ in 0..7 {
            drop(limits.try_password_at(guesser, start));
        }
        let attempt = limits.try_password_at(guesser, start);
        attempt.unwrap_or_else(|_| panic!("one is left")).succeeded();
        assert_eq!(wrong(&limits, guesser, start), 8, "{guesser:?}");
    }
    // Fifteen of the account's forty failures remain.
    let rest = (2..100).map(|n| wrong(&limits, stranger("ana", from(&format!("192.0.2.{n}"))), start));
    assert_eq!(rest.sum::<usize>(), 40 - 15);
    limits.forgive("ana", here);
    assert_eq!(wrong(&limits, stranger("ana", here), start), 8);
}
