//! The bodies of the banking calendar.

use chrono::{Datelike, NaiveDate};
use gateway_environment::request_context;
use gateway_platform::holidays::AddedHoliday;
use ledger_domain::calendar::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff::Year;
use crate::edge::QueryValue;
use crate::shared::form::{form, line, required, value};
use crate::shared::schemas::Word;

#[derive(Debug, Serialize, ToSchema)]
pub struct HolidayList {
    #[schema(example = 2026)]
    pub year: i32,
    /// In the order of their dates.
    pub data: Vec<Holiday>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Holiday {
    #[schema(example = "2026-07-09")]
    pub date: NaiveDate,
    #[schema(example = "Revolução Constitucionalista")]
    pub name: String,
    pub kind: HolidayKindName,
}

ledger_domain::words! {
    /// `national` holidays follow from rules and cannot be changed. `local` ones are added by staff.
    pub enum HolidayKind {
        National = "national" => "Nacional",
        Local = "local" => "Local",
    }
}

pub type HolidayKindName = Word<HolidayKind>;

impl Holiday {
    pub fn national((date, name): (Date, &str)) -> Self {
        Self {
            date,
            name: name.to_owned(),
            kind: Word(HolidayKind::National),
        }
    }
}

impl From<AddedHoliday> for Holiday {
    fn from(AddedHoliday { date, name }: AddedHoliday) -> Self {
        Self {
            date,
            name,
            kind: Word(HolidayKind::Local),
        }
    }
}

/// The effect of a new holiday on the date.
#[derive(Debug, Serialize, ToSchema)]
pub struct HolidayPreview {
    #[schema(example = "2026-07-09")]
    pub date: NaiveDate,
    /// False if the date is on a weekend, or already a holiday. A new holiday then moves no due date.
    pub is_business_day: bool,
    /// The holiday that the date already has.
    #[schema(required = true)]
    pub holiday: Option<Holiday>,
    /// The installments that are already promised for the date. They stay due on it.
    pub promised: PromisedInstallments,
    /// The day on which installments of later sales are due instead of the date.
    #[schema(example = "2026-07-10")]
    pub moved_to: NaiveDate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct PromisedInstallments {
    #[schema(example = 41)]
    pub count: u64,
    /// In cents.
    #[schema(example = 1_234_500)]
    pub amount: i64,
}

form! {
    pub struct NewHoliday {
        /// Today or later, up to 2199.
        #[example = "2027-07-09"]
        date: NaiveDate = required(value().then(from_today), NaiveDate::MISSING),
        /// Up to 60 characters.
        #[example = "Revolução Constitucionalista"]
        name: String = required(line(60), "Informe o nome do feriado."),
    }
}

fn from_today(date: NaiveDate) -> Result<NaiveDate, &'static str> {
    if date < request_context::current().clock.today() {
        return Err("A data deve ser hoje ou posterior.");
    }
    if date.year() > Year::LAST.into() {
        return Err("A data deve ser até 2199.");
    }
    Ok(date)
}
