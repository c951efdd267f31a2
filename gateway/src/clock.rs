//! What time it is for the business: the machine's clock, or in development the day that `RAZAO_TODAY` names.
//! Sessions keep the machine's time whatever the business believes.

use chrono::{DateTime, NaiveDate, SubsecRound, Utc};
use ledger_domain::calendar::{business_date, start_of};

#[derive(Debug, Clone, Copy, Default)]
pub struct BusinessClock {
    today: Option<NaiveDate>,
}

impl BusinessClock {
    pub const fn new(today: Option<NaiveDate>) -> Self {
        Self { today }
    }

    /// The business date in Brasília.
    pub fn today(&self) -> NaiveDate {
        self.today.unwrap_or_else(|| business_date(Utc::now()))
    }

    /// The machine's time of day, on the day that is taken for today. In whole microseconds, as the database keeps it,
    /// so that an answer and a later reading of the same say the same.
    pub fn now(&self) -> DateTime<Utc> {
        let now = Utc::now().trunc_subsecs(6);
        match self.today {
            Some(today) => start_of(today) + (now - start_of(business_date(now))),
            None => now,
        }
    }
}
