//! The due factor: four digits that stand for a date.
//!
//! It is the days since 1997-10-07, in use from 1000 (2000-07-03) to 9999 (2025-02-21). Then it starts again at 1000
//! (2025-02-22), and so on every 9,000 days. FEBRABAN announced the restart; 0000 states no date.

use chrono::{Days, NaiveDate as Date};

use super::BoletoError;

const FIRST: u16 = 1000;
const LAST: u16 = 9999;
/// After so many days a factor stands for another date.
const CYCLE: i64 = 9000;

/// The date of factor 1000 when factors came into use.
const START: Date = Date::from_ymd_opt(2000, 7, 3).expect("a date");

pub fn write(due: Option<Date>) -> Result<String, BoletoError> {
    let Some(due) = due else {
        return Ok("0000".to_owned());
    };
    let days = (due - START).num_days();
    if days < 0 {
        return Err(BoletoError::DueDate(due));
    }
    Ok((days % CYCLE + i64::from(FIRST)).to_string())
}

/// The date nearest to the reference, from `START` on. `factor` is four digits.
pub fn read(factor: &str, reference: Date) -> Result<Option<Date>, BoletoError> {
    match factor.parse::<u16>() {
        Ok(0) => Ok(None),
        Ok(number @ FIRST..=LAST) => Ok(Some(nearest(u64::from(number - FIRST), reference))),
        _ => Err(BoletoError::DueFactor(factor.to_owned())),
    }
}

fn nearest(days: u64, reference: Date) -> Date {
    let first = START + Days::new(days);
    let behind = (reference - first).num_days();
    // Half a cycle more, so that the division rounds to the nearest cycle.
    let cycles = (behind + CYCLE / 2).div_euclid(CYCLE).max(0);
    let later = u64::try_from(cycles * CYCLE).unwrap_or(0);
    first.checked_add_days(Days::new(later)).unwrap_or(first)
}
