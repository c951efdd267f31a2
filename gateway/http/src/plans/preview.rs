//! The net of a sale under terms that are not saved yet.

use axum::extract::State;
use gateway_platform::plans::preview::{AMOUNT, PreviewRow, preview};
use ledger_domain::Cents;
use serde::Serialize;
use utoipa::ToSchema;

use super::bodies::form::PlanForm;
use crate::AppState;
use crate::edge::Json;
use crate::problem::Result;
use crate::shared::cents;
use crate::shared::form::Form;

/// The nets of a sale of R$ 100,00, in cents. A net is null while the fees that it needs are missing or invalid.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanPreview {
    #[schema(example = 10_000)]
    pub amount: i64,
    pub rows: Vec<PlanPreviewRow>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlanPreviewRow {
    /// credit, debit, boleto or pix.
    #[schema(example = "credit")]
    pub payment_type: &'static str,
    #[schema(minimum = 1, maximum = 21, example = 12)]
    pub installments: u8,
    /// With a Visa or Mastercard card; for boleto and pix the only net.
    #[schema(required = true, example = 9_001)]
    pub visamaster: Option<i64>,
    /// With a card of another brand; null for boleto and pix.
    #[schema(required = true, example = 8_921)]
    pub others: Option<i64>,
}

/// Preview a sales plan
///
/// Prices a sale of R$ 100,00 by the terms of a form, which may be incomplete. Nothing is saved.
#[utoipa::path(
    post, path = "/admin/plans/preview", tag = "plans",
    responses((status = 200, body = PlanPreview))
)]
pub(crate) async fn preview_plan(
    State(state): State<AppState>,
    Form(PlanForm(form)): Form<PlanForm>,
) -> Result<Json<PlanPreview>> {
    let rows = preview(&form, state.clock.today());
    Ok(Json(PlanPreview {
        amount: cents(AMOUNT),
        rows: rows.into_iter().map(PlanPreviewRow::from).collect(),
    }))
}

impl From<PreviewRow> for PlanPreviewRow {
    fn from(row: PreviewRow) -> Self {
        Self {
            payment_type: row.payment_type.as_str(),
            installments: row.installments,
            visamaster: row.visamaster.map(Cents::get),
            others: row.others.map(Cents::get),
        }
    }
}
