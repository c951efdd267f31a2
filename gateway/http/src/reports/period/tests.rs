//! A period, its parts, and the previous period.

use super::*;

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

fn query(group: Group, start: Option<&str>, end: Option<&str>) -> PeriodQuery {
    let bound = |text: &str| match text.len() {
        10 => PeriodBound::Day(date(text)),
        _ => PeriodBound::Instant(at(text)),
    };
    PeriodQuery {
        group: Some(group),
        start: start.map(bound),
        end: end.map(bound),
    }
}

fn period(group: Group, start: Option<&str>, end: Option<&str>) -> Period {
    let now = at("2026-11-21T15:04:05Z");
    Period::of(query(group, start, end), Group::Day, now).expect("a period")
}

fn error(group: Group, start: &str, end: &str) -> String {
    let now = at("2026-11-21T15:04:05Z");
    let problem = Period::of(query(group, Some(start), Some(end)), Group::Day, now).expect_err("an error");
    let errors = serde_json::to_value(&problem.errors).expect("errors");
    errors["end"][0].as_str().expect("a message").to_owned()
}

fn texts(span: Span) -> (String, String) {
    let (first, last) = span.dates();
    (first.to_string(), last.to_string())
}

fn of(first: &str, last: &str) -> (String, String) {
    (first.to_owned(), last.to_owned())
}

#[test]
fn the_previous_period_has_the_same_length_or_the_same_number_of_months() {
    let some = period(Group::Day, Some("2026-03-10"), Some("2026-03-14"));
    assert_eq!(texts(some.previous), of("2026-03-05", "2026-03-09"));
    assert_eq!(texts(some.parts[4].previous), of("2026-03-09", "2026-03-09"));
    let march = period(Group::Month, Some("2026-03-01"), Some("2026-03-31"));
    assert_eq!(texts(march.previous), of("2026-02-01", "2026-02-28"));
    let whole_months = period(Group::Month, Some("2026-02-01"), Some("2026-03-31"));
    assert_eq!(texts(whole_months.previous), of("2025-12-01", "2026-01-31"));
    let so_far = period(Group::Month, Some("2026-02-01"), Some("2026-03-30"));
    assert_eq!(texts(so_far.previous), of("2025-12-01", "2026-01-30"));
    assert_eq!(texts(so_far.parts[1].previous), of("2026-01-01", "2026-01-30"));
    let quarter = period(Group::Month, Some("2026-01-01"), Some("2026-03-31"));
    assert_eq!(texts(quarter.previous), of("2025-10-01", "2025-12-31"));
    assert_eq!(texts(quarter.parts[1].span), of("2026-02-01", "2026-02-28"));
    assert_eq!(texts(quarter.parts[1].previous), of("2025-11-01", "2025-11-30"));
}

#[test]
fn parts_cover_the_period_and_their_previous_parts_the_previous_one() {
    for group in [Group::Day, Group::Week, Group::Month] {
        for (start, end) in [
            ("2025-12-31", "2026-03-03"),
            ("2026-03-01", "2026-04-30"),
            ("2026-01-31", "2026-01-31"),
        ] {
            let period = period(group, Some(start), Some(end));
            assert_eq!(texts(period.span), of(start, end));
            let (mut next, mut next_previous) = (period.span.from, period.previous.from);
            for part in &period.parts {
                assert_eq!(part.span.from, next, "{group:?} {start}");
                next = part.span.until;
                assert_eq!(part.previous.from, next_previous, "{group:?} {start}");
                next_previous = part.previous.until;
            }
            assert_eq!((next, next_previous), (period.span.until, period.previous.until));
        }
    }
}

#[test]
fn a_month_so_far_is_compared_up_to_the_same_day_or_the_last_one() {
    for (end, previous_end) in [
        ("2026-03-27", "2026-02-27"),
        ("2026-03-28", "2026-02-28"),
        ("2026-03-29", "2026-02-28"),
        ("2026-03-30", "2026-02-28"),
        ("2026-03-31", "2026-02-28"),
    ] {
        let march = period(Group::Month, Some("2026-03-01"), Some(end));
        assert_eq!(texts(march.previous), of("2026-02-01", previous_end), "{end}");
    }
    let may = period(Group::Month, Some("2026-05-01"), Some("2026-05-30"));
    assert_eq!(texts(may.previous), of("2026-04-01", "2026-04-30"));
}

#[test]
fn days_of_a_month_are_compared_with_the_days_of_the_same_number() {
    let march = period(Group::Day, Some("2026-03-01"), Some("2026-03-31"));
    assert_eq!(texts(march.previous), of("2026-02-01", "2026-02-28"));
    for (index, part) in march.parts.iter().enumerate().take(28) {
        let day = format!("2026-02-{:02}", index + 1);
        assert_eq!(texts(part.previous), of(&day, &day));
    }
    // February has no such days.
    for part in &march.parts[28..] {
        assert_eq!(part.previous.from, part.previous.until, "{part:?}");
    }
}

#[test]
fn weeks_begin_on_mondays() {
    let weeks = period(Group::Week, Some("2026-11-18"), Some("2026-11-24"));
    let spans: Vec<_> = weeks.parts.iter().map(|part| texts(part.span)).collect();
    assert_eq!(
        spans,
        [of("2026-11-18", "2026-11-22"), of("2026-11-23", "2026-11-24")]
    );
}

#[test]
fn omitted_bounds_have_defaults_for_each_group() {
    let (days, weeks) = (period(Group::Day, None, None), period(Group::Week, None, None));
    assert_eq!(texts(days.span), of("2026-10-23", "2026-11-21"));
    assert_eq!(
        (texts(weeks.span), weeks.parts.len()),
        (of("2026-08-31", "2026-11-21"), 12)
    );
    let months = period(Group::Month, None, None);
    assert_eq!(texts(months.span), of("2025-12-01", "2026-11-21"));
    assert_eq!(months.parts.len(), 12);
    let hours = period(Group::Hour, None, None);
    assert_eq!(hours.parts.len(), 24);
    assert_eq!(hours.span.until, at("2026-11-21T16:00:00Z"));
    assert_eq!(hours.previous.until, hours.span.from);
    let end = serde_json::to_value(hours.end()).expect("an instant");
    assert_eq!(end, "2026-11-21T15:59:59.999999Z");
}

#[test]
fn a_period_has_a_greatest_length() {
    assert_eq!(
        period(Group::Hour, Some("2026-11-20"), Some("2026-11-21"))
            .parts
            .len(),
        48
    );
    assert!(error(Group::Hour, "2026-11-19", "2026-11-21").contains("48 horas"));
    // 365 + 31 + 4 days.
    assert_eq!(
        period(Group::Day, Some("2025-01-01"), Some("2026-02-04"))
            .parts
            .len(),
        400
    );
    assert!(error(Group::Day, "2025-01-01", "2026-02-05").contains("400 dias"));
    assert!(error(Group::Month, "2015-01-01", "2026-02-05").contains("cinco anos"));
}

#[test]
fn a_period_cannot_end_before_it_starts() {
    assert!(error(Group::Week, "2026-02-06", "2026-02-05").contains("posterior"));
    assert!(error(Group::Hour, "2026-02-06T10:00:00Z", "2026-02-06T08:00:00Z").contains("posterior"));
}
