//! The rates that acquirers should charge: listed with their history, and set from a day on.

use axum::http::StatusCode;
use axum::response::Response;
use chrono::NaiveDate;
use gateway_identity::audience::Audience;
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::reconciliation::{AcquirerRate, Rate, rate_add, rates_all};
use ledger_domain::ids::UserId;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{Cents, Rate as FeeRate};
use rust_decimal::Decimal;
use serde_json::json;
use tokio_postgres::GenericClient;

use super::bodies::{AcquirerRateList, AcquirerRateRow};
use crate::edge::query::text;
use crate::edge::{Db, Json, QueryValue};
use crate::problem::Result;
use crate::shared::change::{Change, Subject};
use crate::shared::form::{Form, Kind, form, given, given_with, optional, required, trimmed};

const RATE: Subject = Subject("acquirer_rate");
/// In cents. The column `acquirer_rate.flat` takes no more.
const FLAT_MAX: i64 = 10_000_00;

pub struct AcquirerRateForm {
    provider: Provider,
    payment_type: PaymentType,
    installments_from: u8,
    valid_from: NaiveDate,
    rate: Option<Rate>,
}

form! {
    /// Sets a rate from a day on. Without `percent` and `flat`, nothing is expected from that day on.
    impl FromBody for AcquirerRateForm with form {
        /// The acquirer's number, 1 to 8.
        #[example = 1]
        provider: Provider = required(given::<Provider, u8>(), "Informe a adquirente."),
        #[example = "credit"]
        payment_type: PaymentType = required(given::<PaymentType, String>(), "Informe a forma de pagamento."),
        /// The smallest number of installments to which it applies; 1 if it is left out.
        #[example = 1]
        installments_from: Option<u8> = optional(given::<u8, u8>()),
        #[example = "2026-12-01"]
        valid_from: NaiveDate = required(given_with(<NaiveDate as QueryValue>::schema), "Informe a data."),
        /// Percent of gross, up to four decimals.
        #[example = "2.5"]
        percent: Option<Decimal> = optional(percent()),
        /// In cents.
        #[example = 0]
        flat: Option<Cents> = optional(flat()),
    } => {
        let installments_from = installments_from.unwrap_or(1);
        if !payment_type.takes_installments(installments_from) {
            form.error("installments_from", "Número de parcelas inválido.");
        }
        let rate = (percent.is_some() || flat.is_some()).then(|| Rate {
            percent: percent.unwrap_or_default(),
            flat: flat.unwrap_or_default(),
        });
        Self { provider, payment_type, installments_from, valid_from, rate }
    }
}

fn percent() -> Kind<Decimal> {
    trimmed(
        || text().into(),
        |given| {
            let percent: Option<Decimal> = given.parse().ok();
            let is_fee =
                |percent: &Decimal| FeeRate::new(*percent).is_ok_and(|rate| rate <= FeeRate::FEE_MAX);
            percent
                .filter(is_fee)
                .ok_or("A taxa deve ser de 0 a 99%, com até quatro casas decimais.")
        },
    )
}

fn flat() -> Kind<Cents> {
    given::<i64, i64>().then(|flat| {
        if (0..=FLAT_MAX).contains(&flat) {
            Ok(Cents::new(flat))
        } else {
            Err("O valor fixo deve ser de R$ 0,00 a R$ 10.000,00.")
        }
    })
}

/// List the expected rates of acquirers
///
/// All rates ever set.
#[utoipa::path(
    get, path = "/admin/settlements/rates", tag = "settlements",
    responses((status = 200, body = AcquirerRateList))
)]
pub(crate) async fn list_acquirer_rates(db: Db) -> Result<Json<AcquirerRateList>> {
    all_rates(&*db).await.map(Json)
}

/// Set an expected rate of an acquirer
///
/// It applies to comparisons from now on. Earlier rates stay in the history.
#[utoipa::path(
    post, path = "/admin/settlements/rates", tag = "settlements",
    responses((status = 201, body = AcquirerRateList))
)]
pub(crate) async fn set_acquirer_rate(
    change: Change<StaffCaller, Form<AcquirerRateForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            let rate = AcquirerRate {
                id: work.state.ids.new_uuid(),
                provider: form.provider,
                payment_type: form.payment_type,
                installments_from: form.installments_from,
                valid_from: form.valid_from,
                rate: form.rate,
                set_by: work.caller.id,
                set_at: work.now(),
            };
            rate_add(&**work, &rate).await?;
            let after = json!({
                "provider": rate.provider, "payment_type": rate.payment_type,
                "installments_from": rate.installments_from, "valid_from": rate.valid_from,
                "percent": rate.rate.map(|rate| rate.percent.to_string()), "flat": rate.rate.map(|rate| rate.flat),
            });
            let entry = RATE.entry("create", rate.id).after(after);
            Ok(entry.answer(all_rates(&**work).await?))
        })
        .await
}

async fn all_rates(client: &impl GenericClient) -> Result<AcquirerRateList> {
    let rates = rates_all(client).await?;
    let users: Vec<UserId> = rates.iter().map(|rate| rate.set_by).collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let row = |rate: AcquirerRate| {
        let name = names.get(&rate.set_by).cloned();
        AcquirerRateRow::of(rate, name)
    };
    Ok(AcquirerRateList {
        data: rates.into_iter().map(row).collect(),
    })
}
