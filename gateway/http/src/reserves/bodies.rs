//! Bodies: rules of reserves, their impact, and what is held. Amounts are in cents.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::reserves::impact::{ComingReserve, ReserveImpact as Impact};
use gateway_platform::reserves::pieces::{ReservePieceState, ReservedInstallment};
use gateway_platform::reserves::{CompanyReserve, ReserveVersion};
use ledger_domain::calendar::Date;
use ledger_domain::ids::UserId;
use ledger_domain::reserve::{RESERVE_DAYS_MAX, ReserveRules};
use ledger_domain::{Cents, Rate};
use projections::holds::reserve::ReserveSum;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::query;
use crate::problem::{Problem, Result};
use crate::sales::bodies::list::PaymentType;
use crate::shared::cents;
use crate::shared::form::{
    Kind, REASON_MAX, cents_from_one, form, int32, line, optional, required, trimmed, value,
};
use crate::shared::list::PageOf;
use crate::shared::schemas::Word;
use crate::spreadsheet::{Cell, Column, Table, list_column, text, text_or_empty};

pub type ReservePieceStateName = Word<ReservePieceState>;
pub type ReservedInstallmentPage = PageOf<ReservedInstallmentRow>;

form! {
    /// Rules of a reserve.
    pub struct ReserveRulesForm {
        /// The share of each settlement in percent, with up to 4 decimal places, at most 99. Zero holds nothing.
        #[example = "10"]
        percentage: Rate = required(percentage(), "requerido"),
        /// How long the share is held, in days from the settlement on: 1 to 365. The release falls on a banking day.
        #[example = 30]
        days: i32 = required(int32(), "requerido"),
        /// The most that is held at once, in cents. No limit if left out.
        #[example = 100_000]
        maximum: Option<Cents> = optional(cents_from_one()),
        /// The first day whose settlements are held in part, a business date in Brasília. Today or later.
        #[example = "2026-12-01"]
        valid_from: NaiveDate = required(value(), "requerido"),
        /// The last one. Until other rules take effect if left out.
        ends_on: Option<NaiveDate> = optional(value()),
        /// Why. Up to 500 characters. Only staff read it.
        #[example = "Taxa de contestação acima de 1 %"]
        reason: String = required(line(REASON_MAX), "Informe o motivo."),
    }
}

fn percentage() -> Kind<Rate> {
    trimmed(
        || query::text().into(),
        |text| {
            let rate =
                Rate::parse(&text.replace(',', ".")).map_err(|_| "Informe um percentual como 10 ou 2,5.")?;
            if rate > Rate::FEE_MAX {
                return Err("O percentual deve ser de até 99.");
            }
            Ok(rate)
        },
    )
}

impl ReserveRulesForm {
    /// The first day, and the rules.
    pub fn checked(self, today: Date) -> Result<(Date, ReserveRules)> {
        let days = u16::try_from(self.days).ok();
        let days = days.filter(|days| (1..=RESERVE_DAYS_MAX).contains(days));
        let days = days.ok_or_else(|| Problem::field("days", "Informe de 1 a 365 dias."))?;
        if self.valid_from < today {
            return Err(Problem::field("valid_from", "A reserva começa hoje ou depois."));
        }
        if self.ends_on.is_some_and(|ends_on| ends_on < self.valid_from) {
            return Err(Problem::field(
                "ends_on",
                "O fim deve ser no dia do início ou depois.",
            ));
        }
        let rules = ReserveRules {
            percentage: self.percentage,
            days,
            maximum: self.maximum,
            ends_on: self.ends_on,
        };
        Ok((self.valid_from, rules))
    }
}

/// Rules of a reserve.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReserveRulesBody {
    /// The share of each settlement, in percent. "0" holds nothing.
    #[schema(example = "10")]
    pub percentage: String,
    /// Counted from the settlement's day.
    #[schema(example = 30)]
    pub days: u16,
    /// The most that is held at once. Null if there is no limit.
    #[schema(required = true, example = 100_000)]
    pub maximum: Option<i64>,
    /// The last day whose settlements are held in part. Null: until other rules take effect.
    #[schema(required = true, example = json!(null))]
    pub ends_on: Option<NaiveDate>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReserveVersionRow {
    #[schema(example = 1)]
    pub version: i32,
    /// The first day whose settlements they apply to.
    #[schema(example = "2026-12-01")]
    pub valid_from: NaiveDate,
    #[serde(flatten)]
    pub rules: ReserveRulesBody,
    #[schema(example = "Taxa de contestação acima de 1 %")]
    pub reason: String,
    /// The name of the member of staff; null if the user is deleted, or for the installation.
    #[schema(required = true, example = "Bruno Lima")]
    pub by: Option<String>,
    /// UTC instant.
    pub recorded_at: DateTime<Utc>,
}

/// The versions of rules, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReserveVersions {
    /// Of the company itself. Empty for a receiving plan.
    pub own: Vec<ReserveVersionRow>,
    pub of_plan: Vec<ReserveVersionRow>,
}

/// What the reserve holds of a company, and by which rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reserve {
    /// What is held now.
    #[schema(example = 12_000)]
    pub held: i64,
    /// The rules for today's settlements. Null if nothing is held of them.
    #[schema(required = true)]
    pub rules: Option<ReserveRulesBody>,
    /// What is held until each day, the next day first.
    pub coming: Vec<ReserveDay>,
    /// What was released or used of the last 30 days, the latest day first.
    pub past: Vec<ReserveDay>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReserveDay {
    /// A banking day.
    #[schema(example = "2027-01-22")]
    pub release_on: NaiveDate,
    /// What was held of settlements until this day.
    #[schema(example = 12_000)]
    pub reserved: i64,
    /// What of it is still held.
    #[schema(example = 10_000)]
    pub held: i64,
    /// What became available on the day.
    #[schema(example = 0)]
    pub released: i64,
    /// What was used before for cancels, refunds and disputes of its sales.
    #[schema(example = 2_000)]
    pub used: i64,
}

/// What rules would hold.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReserveImpact {
    /// The first day of the month that the figures are of.
    #[schema(example = "2026-10-01")]
    pub month: NaiveDate,
    /// Of a receiving plan, its companies without own rules on the first day.
    #[schema(example = 1)]
    pub companies: u64,
    /// What was settled in the month.
    #[schema(example = 1_000_000)]
    pub settled: i64,
    /// What of it would have been held.
    #[schema(example = 100_000)]
    pub reserved: i64,
    /// What will be held of the company's coming settlements, by day. Empty for a receiving plan.
    pub coming: Vec<ComingReserveDay>,
    /// The most that will be held at once of what is scheduled now.
    #[schema(example = 30_000)]
    pub peak: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ComingReserveDay {
    #[schema(example = "2026-12-22")]
    pub date: NaiveDate,
    /// What will be settled.
    #[schema(example = 15_000)]
    pub settled: i64,
    /// What of it will be held.
    #[schema(example = 1_500)]
    pub reserved: i64,
    #[schema(example = "2027-01-21")]
    pub release_on: NaiveDate,
    /// What will be held in all after it.
    #[schema(example = 12_000)]
    pub held: i64,
}

/// What the reserve holds or held of an installment.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReservedInstallmentRow {
    #[schema(example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c")]
    pub sale_id: String,
    #[schema(minimum = 1, maximum = 21, example = 1)]
    pub number: u8,
    /// The number of the sale's installments.
    #[schema(minimum = 1, maximum = 21, example = 3)]
    pub installments: u8,
    pub payment_type: PaymentType,
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    /// When the sale was made. UTC instant.
    pub sold_at: DateTime<Utc>,
    /// The business date of the settlement.
    #[schema(example = "2026-12-23")]
    pub settled_on: NaiveDate,
    /// The net of the installment.
    #[schema(example = 9_700)]
    pub net: i64,
    /// The part of it that was held.
    #[schema(example = 970)]
    pub reserved: i64,
    #[schema(example = 0)]
    pub released: i64,
    /// What paid for a cancel, a refund or a dispute of the sale.
    #[schema(example = 0)]
    pub used: i64,
    /// What is still held.
    #[schema(example = 970)]
    pub held: i64,
    pub state: ReservePieceStateName,
    /// The day of the release.
    #[schema(example = "2027-01-22")]
    pub release_on: NaiveDate,
}

impl From<&ReserveRules> for ReserveRulesBody {
    fn from(rules: &ReserveRules) -> Self {
        Self {
            percentage: rules.percentage.to_string(),
            days: rules.days,
            maximum: rules.maximum.map(Cents::get),
            ends_on: rules.ends_on,
        }
    }
}

impl ReserveVersionRow {
    pub fn of(version: ReserveVersion, names: &HashMap<UserId, String>) -> Self {
        Self {
            version: version.version,
            valid_from: version.valid_from,
            rules: ReserveRulesBody::from(&version.rules()),
            by: version.recorded_by.and_then(|user| names.get(&user).cloned()),
            reason: version.reason,
            recorded_at: version.recorded_at,
        }
    }
}

impl Reserve {
    pub fn of(rules: &CompanyReserve, today: Date, days: Vec<(Date, ReserveSum)>) -> Self {
        let in_force = rules.on(today).filter(|rules| !rules.percentage.is_zero());
        let (coming, mut past): (Vec<_>, Vec<_>) = days
            .into_iter()
            .map(|(release_on, sum)| ReserveDay::of(release_on, sum))
            .partition(|day| day.held > 0);
        past.reverse();
        Self {
            held: coming.iter().map(|day| day.held).sum(),
            rules: in_force.map(ReserveRulesBody::from),
            coming,
            past,
        }
    }
}

impl ReserveDay {
    const fn of(release_on: Date, sum: ReserveSum) -> Self {
        Self {
            release_on,
            reserved: sum.reserved,
            held: sum.left(),
            released: sum.released,
            used: sum.used,
        }
    }
}

impl ReserveImpact {
    pub fn of(month: Date, impact: Impact, coming: Vec<ComingReserve>) -> Self {
        let coming: Vec<_> = coming.into_iter().map(ComingReserveDay::from).collect();
        Self {
            month,
            companies: impact.companies,
            settled: impact.settled,
            reserved: impact.reserved,
            peak: coming.iter().map(|day| day.held).max().unwrap_or(0),
            coming,
        }
    }
}

impl From<ComingReserve> for ComingReserveDay {
    fn from(day: ComingReserve) -> Self {
        Self {
            date: day.due_date,
            settled: cents(day.settled),
            reserved: cents(day.reserved),
            release_on: day.release_on,
            held: day.held,
        }
    }
}

impl From<ReservedInstallment> for ReservedInstallmentRow {
    fn from(piece: ReservedInstallment) -> Self {
        let held = piece.reserved.get() - piece.released.get() - piece.used.get();
        Self {
            state: piece.state().into(),
            sale_id: piece.sale_id.to_string(),
            number: piece.number,
            installments: piece.installments,
            payment_type: piece.payment_type.into(),
            card_brand: piece.card_brand,
            sold_at: piece.sold_at,
            settled_on: piece.due_date,
            net: cents(piece.net),
            reserved: cents(piece.reserved),
            released: cents(piece.released),
            used: cents(piece.used),
            held,
            release_on: piece.release_on,
        }
    }
}

/// The list as a spreadsheet.
pub const RESERVED: Table<ReservedInstallmentRow> = Table {
    name: "reserva",
    columns: COLUMNS,
};

const COLUMNS: &[Column<ReservedInstallmentRow>] = &[
    list_column("releaseOn", "Liberação em", 14, |row| {
        Cell::Date(row.release_on)
    }),
    list_column("sale", "Venda", 42, |row| text(&row.sale_id)),
    list_column("soldAt", "Data da venda", 17, |row| Cell::Instant(row.sold_at)),
    list_column("number", "Parcela", 10, |row| {
        text(format!("{}/{}", row.number, row.installments))
    }),
    list_column("paymentType", "Pagamento", 14, |row| {
        text(row.payment_type.label())
    }),
    list_column("cardBrand", "Bandeira", 14, |row| {
        text_or_empty(row.card_brand.as_deref())
    }),
    list_column("settledOn", "Liquidado em", 14, |row| Cell::Date(row.settled_on)),
    list_column("net", "Líquido da parcela", 16, |row| Cell::Money(row.net)),
    list_column("reserved", "Reservado", 16, |row| Cell::Money(row.reserved)),
    list_column("released", "Liberado", 16, |row| Cell::Money(row.released)),
    list_column("used", "Usado na devolução", 18, |row| Cell::Money(row.used)),
    list_column("held", "Ainda reservado", 16, |row| Cell::Money(row.held)),
    list_column("state", "Status", 20, |row| text(row.state.label())),
];
