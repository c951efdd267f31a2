//! The query parameters of the schedule of receivables.

use chrono::{Days, NaiveDate};
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use crate::edge::{FromQuery, Paging, QueryReader};
use crate::openapi::params_of;

/// The longest period of one request: as far as a plan's last installment can lie in the future.
pub const SCHEDULE_DAYS_MAX: i64 = 2 * 366;
/// The length of the period if no end is given.
const DAYS_DEFAULT: u64 = 60;

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct ScheduleParams {
    /// First due date, included.
    start: Option<NaiveDate>,
    /// Last due date, included.
    end: Option<NaiveDate>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct DueParams {
    /// The due date, a business date in Brasília.
    #[param(example = "2026-12-21")]
    date: NaiveDate,
    /// The acquirer's number, 1 to 8.
    #[param(minimum = 1, maximum = 8)]
    provider: Option<u8>,
    /// The card brand.
    #[param(example = "visa")]
    brand: Option<String>,
    /// credit, debit, boleto or pix. CREDIT_CARD, BOLETO and PIX are accepted as well.
    #[param(rename = "paymentType", example = "credit")]
    payment_type: Option<String>,
}

pub struct ScheduleQuery {
    pub start: Option<NaiveDate>,
    pub end: Option<NaiveDate>,
}

impl ScheduleQuery {
    pub fn period(&self, today: NaiveDate) -> (NaiveDate, NaiveDate) {
        let start = self.start.unwrap_or(today);
        let usual = || start.checked_add_days(Days::new(DAYS_DEFAULT)).unwrap_or(start);
        (start, self.end.unwrap_or_else(usual))
    }
}

impl FromQuery for ScheduleQuery {
    fn params() -> Vec<Parameter> {
        params_of::<ScheduleParams>()
    }

    fn read(query: &mut QueryReader) -> Self {
        let (start, end) = query.period();
        query.at_most(
            "end",
            (start, end),
            SCHEDULE_DAYS_MAX,
            "O período pode ter até dois anos.",
        );
        Self { start, end }
    }
}

pub struct UnitsQuery {
    pub days: ScheduleQuery,
    pub paging: Paging,
}

impl FromQuery for UnitsQuery {
    fn params() -> Vec<Parameter> {
        [ScheduleQuery::params(), Paging::params()].concat()
    }

    fn read(query: &mut QueryReader) -> Self {
        Self {
            days: ScheduleQuery::read(query),
            paging: Paging::read(query),
        }
    }
}

pub struct DueQuery {
    pub date: Option<NaiveDate>,
    pub provider: Option<Provider>,
    pub card_brand: Option<CardBrand>,
    pub payment_type: Option<PaymentType>,
    pub paging: Paging,
}

impl FromQuery for DueQuery {
    fn params() -> Vec<Parameter> {
        [params_of::<DueParams>(), Paging::params()].concat()
    }

    fn read(query: &mut QueryReader) -> Self {
        if query.text("date").is_none() {
            query.error("date", "Informe a data.");
        }
        Self {
            date: query.date("date"),
            provider: query.read("provider", "Deve ser o número de uma adquirente.", |text| {
                let number = text.parse().ok();
                number.and_then(|number: u8| Provider::from_number(number).ok())
            }),
            card_brand: query.read("brand", "Deve ser uma bandeira.", |text| {
                CardBrand::parse(text).ok()
            }),
            payment_type: query.read("paymentType", "Deve ser credit, debit, boleto ou pix.", |text| {
                PaymentType::parse(text).ok()
            }),
            paging: Paging::read(query),
        }
    }
}
