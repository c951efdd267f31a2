//! The rates that acquirers should charge: listed with their history, and set from a day on.

use axum::extract::State;
use axum::http::StatusCode;
use chrono::NaiveDate;
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::reconciliation::{AcquirerRate, NewRate, Rate, rate_add, rates_all};
use ledger_domain::Cents;
use ledger_domain::ids::UserId;
use ledger_domain::sale::{PaymentType, Provider};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::json;
use tokio_postgres::GenericClient;
use utoipa::ToSchema;

use super::bodies::{AcquirerRateList, AcquirerRateRow};
use crate::AppState;
use crate::edge::{Db, FormErrors, Json};
use crate::problem::{Problem, Result};

/// The subject in the audit log.
const SUBJECT: &str = "acquirer_rate";
/// In cents. The column `acquirer_rate.flat` takes no more.
const FLAT_MAX: i64 = 10_000_00;

/// Sets a rate from a day on. Without `percent` and `flat`, nothing is expected from that day on.
#[derive(Debug, Deserialize, ToSchema)]
pub struct AcquirerRateForm {
    /// The acquirer's number, 1 to 8.
    #[schema(required = true, nullable = false, value_type = u8, example = 1)]
    pub provider: Option<Provider>,
    #[schema(required = true, nullable = false, value_type = String, example = "credit")]
    pub payment_type: Option<PaymentType>,
    /// The smallest number of installments to which it applies; 1 if it is left out.
    #[schema(nullable = false, example = 1)]
    pub installments_from: Option<u8>,
    #[schema(required = true, nullable = false, example = "2026-12-01")]
    pub valid_from: Option<NaiveDate>,
    /// Percent of gross, up to four decimals.
    #[schema(example = "2.5")]
    pub percent: Option<String>,
    /// In cents.
    #[schema(example = 0)]
    pub flat: Option<i64>,
}

impl AcquirerRateForm {
    fn read(self, id: uuid::Uuid, set_by: UserId, set_at: chrono::DateTime<chrono::Utc>) -> Result<NewRate> {
        let mut errors = FormErrors::default();
        let rate = self.rate(&mut errors);
        let installments_from = self.installments_from.unwrap_or(1);
        if self.provider.is_none() {
            errors.add("provider", "Informe a adquirente.");
        }
        if self.valid_from.is_none() {
            errors.add("valid_from", "Informe a data.");
        }
        match self.payment_type {
            None => errors.add("payment_type", "Informe a forma de pagamento."),
            Some(payment_type) if !payment_type.takes_installments(installments_from) => {
                errors.add("installments_from", "Número de parcelas inválido.");
            }
            Some(_) => {}
        }
        errors.finish()?;
        let required = self.provider.zip(self.payment_type).zip(self.valid_from);
        let ((provider, payment_type), valid_from) =
            required.ok_or_else(|| Problem::internal("a form without a required field has no error"))?;
        Ok(NewRate {
            id,
            provider,
            payment_type,
            installments_from,
            valid_from,
            rate,
            set_by,
            set_at,
        })
    }

    fn rate(&self, errors: &mut FormErrors) -> Option<Rate> {
        let percent = self
            .percent
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty());
        if percent.is_none() && self.flat.is_none() {
            return None;
        }
        let percent: Option<Decimal> = percent.unwrap_or("0").parse().ok();
        let percent = percent.filter(|percent| {
            percent.scale() <= 4 && !percent.is_sign_negative() && *percent <= Decimal::from(99)
        });
        if percent.is_none() {
            errors.add(
                "percent",
                "A taxa deve ser de 0 a 99%, com até quatro casas decimais.",
            );
        }
        let flat = self.flat.unwrap_or_default();
        if !(0..=FLAT_MAX).contains(&flat) {
            errors.add("flat", "O valor fixo deve ser de R$ 0,00 a R$ 10.000,00.");
        }
        let flat = Cents::new(flat);
        percent.map(|percent| Rate { percent, flat })
    }
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
    State(state): State<AppState>,
    staff: StaffCaller,
    Json(form): Json<AcquirerRateForm>,
) -> Result<(StatusCode, Json<AcquirerRateList>)> {
    let rate = form.read(state.ids.new_uuid(), staff.id, state.clock.now())?;
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    rate_add(&*tx, &rate).await?;
    let change = Change {
        action: "create",
        subject: SUBJECT,
        subject_id: &rate.id.to_string(),
        before: None,
        after: Some(json!({
            "provider": rate.provider, "payment_type": rate.payment_type.as_str(),
            "installments_from": rate.installments_from, "valid_from": rate.valid_from,
            "percent": rate.rate.map(|rate| rate.percent.to_string()), "flat": rate.rate.map(|rate| rate.flat),
        })),
    };
    record(&*tx, Actor::Admin(staff.id), change).await?;
    let list = all_rates(&*tx).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(list)))
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
