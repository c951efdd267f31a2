use std::collections::BTreeMap;

use chrono::Duration;
use proptest::prelude::*;
use serde::Deserialize;

use super::*;

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

fn instant(text: &str) -> Instant {
    text.parse().expect("an instant")
}

#[derive(Deserialize)]
struct Vectors {
    bank_holidays: BTreeMap<i32, BTreeMap<Date, String>>,
    business_days: Vec<BusinessDays>,
}

#[derive(Deserialize)]
struct BusinessDays {
    date: Date,
    n: u16,
    add_business_days: Date,
    following_plus30: Date,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../../fixtures/vectors.json")).expect("the vectors are readable")
}

#[test]
fn the_day_ends_at_03_00_utc() {
    assert_eq!(business_date(instant("2026-11-21T02:59:59Z")), date("2026-11-20"));
    assert_eq!(business_date(instant("2026-11-21T03:00:00Z")), date("2026-11-21"));
    assert_eq!(start_of(date("2026-11-21")), instant("2026-11-21T03:00:00Z"));
}

#[test]
fn the_day_ended_an_hour_earlier_in_daylight_saving_time() {
    assert_eq!(business_date(instant("2018-12-01T02:00:00Z")), date("2018-12-01"));
    assert_eq!(start_of(date("2018-12-01")), instant("2018-12-01T02:00:00Z"));
    // The first day of daylight saving time had no midnight, and its last day was an hour longer.
    assert_eq!(start_of(date("2018-11-04")), instant("2018-11-04T03:00:00Z"));
    assert_eq!(start_of(date("2019-02-17")), instant("2019-02-17T03:00:00Z"));
}

#[test]
fn bank_holidays_match_the_published_list() {
    let vectors = vectors();
    assert_eq!(vectors.bank_holidays.len(), 6);
    for (year, expected) in vectors.bank_holidays {
        let expected: Vec<_> = expected
            .iter()
            .map(|(date, name)| (*date, name.as_str()))
            .collect();
        assert_eq!(national_holidays(year), expected, "{year}");
    }
}

#[test]
fn the_twentieth_of_november_is_a_holiday_from_2024() {
    assert_eq!(national_holiday(date("2023-11-20")), None);
    assert_eq!(national_holiday(date("2024-11-20")), Some("Consciência Negra"));
}

#[test]
fn ash_wednesday_and_the_last_of_december_are_business_days() {
    let calendar = Calendar::default();
    assert!(!calendar.is_business_day(date("2026-02-17")));
    assert!(calendar.is_business_day(date("2026-02-18")));
    assert!(calendar.is_business_day(date("2026-12-31")));
}

#[test]
fn a_holiday_at_a_weekend_does_not_move() {
    // 15 November 2026 is a Sunday.
    assert!(national_holiday(date("2026-11-15")).is_some());
    assert!(Calendar::default().is_business_day(date("2026-11-16")));
}

#[test]
fn business_days_are_counted_and_rolled_as_in_the_vectors() {
    let (calendar, vectors) = (Calendar::default(), vectors());
    assert_eq!(vectors.business_days.len(), 30);
    for BusinessDays {
        date,
        n,
        add_business_days,
        following_plus30,
    } in vectors.business_days
    {
        assert_eq!(
            calendar.add_business_days(date, n),
            add_business_days,
            "{date} + {n}"
        );
        assert_eq!(
            calendar.roll_forward(days_after(date, 30)),
            following_plus30,
            "{date} + 30"
        );
    }
    assert_eq!(
        calendar.add_business_days(date("2026-11-21"), 0),
        date("2026-11-21")
    );
}

#[test]
fn holidays_added_by_staff_are_not_business_days() {
    let calendar = Calendar::new(BTreeSet::from([date("2026-11-23"), date("2026-11-24")]));
    assert!(!calendar.is_business_day(date("2026-11-23")));
    assert_eq!(calendar.roll_forward(date("2026-11-21")), date("2026-11-25"));
    assert_eq!(
        calendar.add_business_days(date("2026-11-19"), 1),
        date("2026-11-25")
    );
}

#[test]
fn easter_matches_the_published_dates() {
    for (year, expected) in [
        (1818, "1818-03-22"),
        (1943, "1943-04-25"),
        (1954, "1954-04-18"),
        (1981, "1981-04-19"),
        (2049, "2049-04-18"),
        (2076, "2076-04-19"),
        (2000, "2000-04-23"),
        (2026, "2026-04-05"),
    ] {
        assert_eq!(easter(year), Some(date(expected)));
    }
}

#[test]
fn extreme_dates_do_not_panic() {
    let calendar = Calendar::default();
    for end in [Date::MIN, Date::MAX] {
        national_holiday(end);
        calendar.roll_forward(end);
        start_of(end);
        days_after(end, u64::MAX);
    }
    assert_eq!(calendar.add_business_days(Date::MAX, u16::MAX), Date::MAX);
    assert!(national_holidays(i32::MAX).is_empty());
    for end in [Instant::MIN_UTC, Instant::MAX_UTC] {
        business_date(end);
    }
}

proptest! {
    #[test]
    fn a_day_starts_at_its_first_instant(days in 0i64..70_000) {
        let date = date("1930-01-01") + Duration::days(days);
        let start = start_of(date);
        prop_assert_eq!(business_date(start), date);
        prop_assert!(business_date(start - Duration::microseconds(1)) < date);
    }

    #[test]
    fn rolling_finds_the_first_business_day(days in 0i64..70_000) {
        let calendar = Calendar::default();
        let date = date("1990-01-01") + Duration::days(days);
        let rolled = calendar.roll_forward(date);
        prop_assert!(calendar.is_business_day(rolled));
        prop_assert!(date.iter_days().take_while(|day| *day < rolled).all(|day| !calendar.is_business_day(day)));
        // The longest gap is the weekend before Carnival plus its two holidays.
        prop_assert!(rolled - date <= Duration::days(4));
    }
}
