//! The model's calendar, which shares no code with the domain's: Brasília is at UTC-3, and these days are bank
//! holidays.

use chrono::{Datelike, Days, TimeDelta, Weekday};
use ledger_domain::calendar::{Date, Instant};

/// The bank holidays on weekdays in 2026 and 2027, listed by hand. A run begins in the first half of 2026.
const HOLIDAYS: [(i32, u32, u32); 22] = [
    (2026, 1, 1),
    (2026, 2, 16),
    (2026, 2, 17),
    (2026, 4, 3),
    (2026, 4, 21),
    (2026, 5, 1),
    (2026, 6, 4),
    (2026, 9, 7),
    (2026, 10, 12),
    (2026, 11, 2),
    (2026, 11, 20),
    (2026, 12, 25),
    (2027, 1, 1),
    (2027, 2, 8),
    (2027, 2, 9),
    (2027, 3, 26),
    (2027, 4, 21),
    (2027, 5, 27),
    (2027, 9, 7),
    (2027, 10, 12),
    (2027, 11, 2),
    (2027, 11, 15),
];

/// The business date of the instant. Brasília has had no daylight saving time since 2019.
pub fn day_of(instant: Instant) -> Date {
    (instant - TimeDelta::hours(3)).date_naive()
}

/// The date that many days later, moved to the next business day. With 0 days it is not moved.
pub fn due(captured_on: Date, days: u64) -> Date {
    if days == 0 {
        return captured_on;
    }
    let mut date = captured_on + Days::new(days);
    while matches!(date.weekday(), Weekday::Sat | Weekday::Sun)
        || HOLIDAYS.contains(&(date.year(), date.month(), date.day()))
    {
        date = date + Days::new(1);
    }
    date
}
