//! The bodies of the banking calendar.

use chrono::{Datelike, NaiveDate};
use ledger_domain::calendar::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::staff::Year;
use crate::edge::{FormErrors, QueryValue};
use crate::problem::Result;
use crate::shared::body_fields::optional_text;

const NAME_CHARACTERS_MAX: usize = 60;

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
    pub kind: HolidayKind,
}

/// `national` holidays follow from rules and cannot be changed. `local` ones are added by staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HolidayKind {
    National,
    Local,
}

impl Holiday {
    pub fn national((date, name): (Date, &str)) -> Self {
        Self {
            date,
            name: name.to_owned(),
            kind: HolidayKind::National,
        }
    }

    pub const fn local(date: Date, name: String) -> Self {
        Self {
            date,
            name,
            kind: HolidayKind::Local,
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

#[derive(Debug, Deserialize, ToSchema)]
pub struct NewHoliday {
    /// Today or later, up to 2199.
    #[schema(required = true, nullable = false, format = Date, example = "2026-07-09")]
    pub date: Option<String>,
    /// Up to 60 characters.
    #[schema(
        required = true,
        nullable = false,
        max_length = 60,
        example = "Revolução Constitucionalista"
    )]
    pub name: Option<String>,
}

impl NewHoliday {
    /// Reports all invalid fields at once.
    pub fn read(self, today: Date) -> Result<(Date, String)> {
        let mut errors = FormErrors::default();
        let date = match self.date.as_deref().map(str::trim) {
            None | Some("") => Err(NaiveDate::MISSING),
            Some(text) => NaiveDate::parse(text).ok_or(NaiveDate::INVALID),
        };
        let date = match date {
            Ok(date) if date < today => Err("A data deve ser hoje ou posterior."),
            Ok(date) if date.year() > Year::LAST.into() => Err("A data deve ser até 2199."),
            other => other,
        };
        if let Err(message) = date {
            errors.add("date", message);
        }
        let name = optional_text(&mut errors, "name", self.name, NAME_CHARACTERS_MAX);
        if name.is_none() {
            errors.add("name", "Informe o nome do feriado.");
        }
        errors.finish()?;
        Ok((date.unwrap_or(today), name.unwrap_or_default()))
    }
}
