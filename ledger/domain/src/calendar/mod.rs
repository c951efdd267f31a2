//! Business dates and the calendar of Brazilian banks.
//!
//! Nothing here reads a clock. The due dates of installments are in `schedule`.

use std::collections::BTreeSet;

use chrono::{Datelike, Days, NaiveTime, Offset, TimeDelta, TimeZone, Utc, Weekday};
use chrono_tz::America::Sao_Paulo;

/// A calendar day in Brasília, without a time.
pub use chrono::NaiveDate as Date;

/// An instant in UTC.
pub type Instant = chrono::DateTime<Utc>;

/// The date in Brasília at that instant.
///
/// Uses the time zone database, because daylight saving time (until 2019) affects the dates of older sales.
pub fn business_date(instant: Instant) -> Date {
    let utc = instant.naive_utc();
    let offset = Sao_Paulo.offset_from_utc_datetime(&utc).fix();
    utc.checked_add_offset(offset).unwrap_or(utc).date()
}

/// The first instant of that day in Brasília.
pub fn start_of(date: Date) -> Instant {
    let midnight = date.and_time(NaiveTime::MIN);
    // Daylight saving time began at midnight: such a day starts at 01:00.
    [
        midnight,
        midnight
            .checked_add_signed(TimeDelta::hours(1))
            .unwrap_or(midnight),
    ]
    .iter()
    .find_map(|reading| Sao_Paulo.from_local_datetime(reading).earliest())
    .map_or_else(|| midnight.and_utc(), |start| start.with_timezone(&Utc))
}

/// The date that many calendar days later; `Date::MAX` if that overflows.
pub fn days_after(date: Date, days: u64) -> Date {
    date.checked_add_days(Days::new(days)).unwrap_or(Date::MAX)
}

/// The business days of banks: no weekends, no national holidays and no holidays that staff added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Calendar {
    added_holidays: BTreeSet<Date>,
}

impl Calendar {
    pub const fn new(added_holidays: BTreeSet<Date>) -> Self {
        Self { added_holidays }
    }

    pub fn is_business_day(&self, date: Date) -> bool {
        !matches!(date.weekday(), Weekday::Sat | Weekday::Sun)
            && !self.added_holidays.contains(&date)
            && national_holiday(date).is_none()
    }

    /// The date itself if it is a business day, else the next business day.
    pub fn roll_forward(&self, date: Date) -> Date {
        date.iter_days()
            .find(|date| self.is_business_day(*date))
            .unwrap_or(Date::MAX)
    }

    /// The n-th business day after the date; for zero days, the date itself.
    pub fn add_business_days(&self, date: Date, days: u16) -> Date {
        let Some(days_before) = usize::from(days).checked_sub(1) else {
            return date;
        };
        date.iter_days()
            .skip(1)
            .filter(|date| self.is_business_day(*date))
            .nth(days_before)
            .unwrap_or(Date::MAX)
    }
}

/// Bank holidays on a fixed day of the year, each with the first year in which it counts here. Lei 662/1949, Lei
/// 6.802/1980 and Lei 14.759/2023 (20 November).
const FIXED_HOLIDAYS: [(u32, u32, i32, &str); 9] = [
    (1, 1, i32::MIN, "Confraternização Universal"),
    (4, 21, i32::MIN, "Tiradentes"),
    (5, 1, i32::MIN, "Dia do Trabalho"),
    (9, 7, i32::MIN, "Independência"),
    (10, 12, 1980, "N. Sra. Aparecida"),
    (11, 2, i32::MIN, "Finados"),
    (11, 15, i32::MIN, "Proclamação da República"),
    (11, 20, 2024, "Consciência Negra"),
    (12, 25, i32::MIN, "Natal"),
];

/// Bank holidays by their distance in days from Easter (Resolução CMN 4.880/2020). Ash Wednesday (-46) and 31 December
/// are business days.
const MOVABLE_HOLIDAYS: [(i64, &str); 4] = [
    (-48, "Carnaval (segunda)"),
    (-47, "Carnaval (terça)"),
    (-2, "Sexta-feira Santa"),
    (60, "Corpus Christi"),
];

/// The name of the national bank holiday on that date. A holiday on a weekend is not moved.
pub fn national_holiday(date: Date) -> Option<&'static str> {
    let fixed = FIXED_HOLIDAYS
        .iter()
        .find(|(month, day, from, _)| (*month, *day) == (date.month(), date.day()) && date.year() >= *from)
        .map(|(.., name)| *name);
    fixed.or_else(|| {
        let days = date.signed_duration_since(easter(date.year())?).num_days();
        MOVABLE_HOLIDAYS
            .iter()
            .find(|(from_easter, _)| *from_easter == days)
            .map(|(_, name)| *name)
    })
}

/// Why banks are closed on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Closure {
    Weekend,
    /// By its name.
    NationalHoliday(&'static str),
    /// A holiday that staff added.
    AddedByStaff,
}

impl Closure {
    /// The reason for a day that is known to be closed. On a weekend the reason is the weekend, even if it is also a
    /// holiday.
    pub fn of(date: Date) -> Self {
        match (date.weekday(), national_holiday(date)) {
            (Weekday::Sat | Weekday::Sun, _) => Self::Weekend,
            (_, Some(name)) => Self::NationalHoliday(name),
            (_, None) => Self::AddedByStaff,
        }
    }
}

/// The national bank holidays of a year, in order.
pub fn national_holidays(year: i32) -> Vec<(Date, &'static str)> {
    Date::from_yo_opt(year, 1)
        .into_iter()
        .flat_map(|first| first.iter_days().take_while(move |date| date.year() == year))
        .filter_map(|date| national_holiday(date).map(|name| (date, name)))
        .collect()
}

/// Easter Sunday of the Gregorian calendar: the anonymous algorithm of Nature (1876), as given by Meeus.
fn easter(year: i32) -> Option<Date> {
    let golden = year.rem_euclid(19);
    let (century, in_century) = (year.div_euclid(100), year.rem_euclid(100));
    let moon_correction = (century - (century + 8).div_euclid(25) + 1).div_euclid(3);
    let epact = (19 * golden + century - century.div_euclid(4) - moon_correction + 15).rem_euclid(30);
    let to_sunday =
        (32 + 2 * century.rem_euclid(4) + 2 * (in_century / 4) - epact - in_century % 4).rem_euclid(7);
    let late = (golden + 11 * epact + 22 * to_sunday) / 451;
    let march_days = epact + to_sunday - 7 * late + 114;
    Date::from_ymd_opt(
        year,
        u32::try_from(march_days / 31).ok()?,
        u32::try_from(march_days % 31 + 1).ok()?,
    )
}

#[cfg(test)]
mod tests;
