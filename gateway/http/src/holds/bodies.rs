//! Response bodies: holds and their histories.
//!
//! Sellers read the reason of a hold that staff placed, and not the names of staff. The reasons of the platform's own
//! holds and of those from before holds had ids were written for staff.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::companies::companies_by_id;
use gateway_platform::holds::documents::{documents_missing, hold_documents};
use gateway_platform::holds::{HoldState, hold_steps};
use ledger_domain::hold::HoldKind;
use ledger_domain::ids::UserId;
use ledger_domain::{Cents, HoldId};
use projections::holds::{Hold, HoldStep, HoldStepKind};
use serde::Serialize;
use tokio_postgres::Client;
use utoipa::ToSchema;

use super::documents::bodies::{HoldDocumentReader, HoldDocumentRow};
use crate::AppState;
use crate::problem::{Problem, Result};
use crate::shared::cents;
use crate::shared::list::{PageOf, Reader};
use crate::shared::schemas::Word;
use crate::spreadsheet::{Cell, Column, Table, list_column, text, text_or_empty};

pub type HoldKindName = Word<HoldKind>;
pub type HoldStateName = Word<HoldState>;
pub type HoldStepKindName = Word<HoldStepKind>;
pub type HoldPage = PageOf<HoldRow>;

/// The most steps of a hold's history that an answer has: the last ones.
const STEPS_MAX: i64 = 200;

/// Held money. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldRow {
    /// Unique within the company.
    #[schema(example = "hld_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b11")]
    pub id: String,
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: String,
    #[schema(example = "Padaria Pão Quente")]
    pub business_name: String,
    pub kind: HoldKindName,
    pub state: HoldStateName,
    /// What is held now.
    #[schema(example = 50_000)]
    pub amount: i64,
    /// All that was ever held under it.
    #[schema(example = 80_000)]
    pub placed: i64,
    #[schema(example = 30_000)]
    pub released: i64,
    /// What was paid to the court.
    #[schema(example = 0)]
    pub paid: i64,
    /// What the court orders in all. Null for other holds.
    #[schema(required = true, example = json!(null))]
    pub ordered: Option<i64>,
    /// What the court ordered and later credits will be held for. Zero for other holds.
    #[schema(example = 0)]
    pub missing: i64,
    /// Why. Null for sellers if it was not written for them.
    #[schema(required = true, example = "Análise de vendas de valor incomum")]
    pub reason: Option<String>,
    /// When staff want to look at it again. It releases nothing.
    #[schema(required = true, example = "2026-12-10")]
    pub until: Option<NaiveDate>,
    /// What the seller is asked to send.
    #[schema(example = json!(["Notas fiscais de novembro"]))]
    pub documents: Vec<String>,
    /// Those of which the seller sent no file, or only refused ones. Empty if the hold has ended.
    #[schema(example = json!(["Notas fiscais de novembro"]))]
    pub documents_missing: Vec<String>,
    /// The sale that is the reason, if it is one.
    #[schema(required = true, example = json!(null))]
    pub sale_id: Option<String>,
    /// Of a judicial hold.
    #[schema(required = true, example = json!(null))]
    pub case_number: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub court: Option<String>,
    /// UTC instant.
    pub placed_at: DateTime<Utc>,
    /// UTC instant. Null while it is open.
    #[schema(required = true)]
    pub ended_at: Option<DateTime<Utc>>,
}

/// A hold with what happened to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldDetail {
    #[serde(flatten)]
    pub hold: HoldRow,
    /// The files that the seller sent, the oldest first.
    pub files: Vec<HoldDocumentRow>,
    /// Oldest first. At most the last 200.
    pub history: Vec<HoldHistoryStep>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HoldHistoryStep {
    pub kind: HoldStepKindName,
    /// UTC instant.
    pub occurred_at: DateTime<Utc>,
    /// In cents. Zero if no money moved.
    #[schema(example = 50_000)]
    pub amount: i64,
    /// The reason, or the number of a judicial deposit.
    #[schema(required = true, example = "Análise concluída")]
    pub text: Option<String>,
    /// The name of the member of staff; null for sellers, and if the platform did it itself.
    #[schema(required = true, example = "Bruno Lima")]
    pub by: Option<String>,
}

/// Reads holds for one of the panels.
pub struct HoldReader(pub Audience);

impl Reader<Hold> for HoldReader {
    type Body = HoldRow;

    async fn bodies(&self, _: &AppState, client: &Client, holds: Vec<Hold>) -> Result<Vec<HoldRow>> {
        let companies: Vec<_> = holds.iter().map(|hold| hold.business_id).collect();
        let companies = companies_by_id(client, &companies).await?;
        let mut missing = documents_missing(client, &holds).await?;
        let rows = holds.into_iter().map(|hold| {
            let name = companies
                .get(&hold.business_id)
                .map(|company| company.name.clone());
            let missing = missing
                .remove(&(hold.business_id, hold.hold_id))
                .unwrap_or_default();
            HoldRow::of(self.0, hold, name.unwrap_or_default(), missing)
        });
        Ok(rows.collect())
    }
}

impl HoldRow {
    fn of(viewer: Audience, hold: Hold, business_name: String, documents_missing: Vec<String>) -> Self {
        let missing = hold.missing();
        Self {
            id: hold.hold_id.to_string(),
            business_id: hold.business_id.to_string(),
            business_name,
            state: match hold.ended_at {
                Some(_) => HoldState::Ended.into(),
                None => HoldState::Open.into(),
            },
            amount: cents(hold.amount),
            placed: cents(hold.placed),
            released: cents(hold.released),
            paid: cents(hold.paid),
            ordered: hold.ordered.map(Cents::get),
            missing: cents(missing),
            reason: is_text_for(viewer, &hold).then_some(hold.reason),
            kind: hold.kind.into(),
            until: hold.until,
            documents: hold.documents,
            documents_missing,
            sale_id: hold.sale_id.map(|sale| sale.to_string()),
            case_number: hold.case_number,
            court: hold.court,
            placed_at: hold.placed_at,
            ended_at: hold.ended_at,
        }
    }
}

impl HoldDetail {
    pub async fn of(state: &AppState, client: &Client, viewer: Audience, hold: Hold) -> Result<Self> {
        let files = hold_documents(client, hold.business_id, hold.hold_id).await?;
        let files = HoldDocumentReader(viewer).bodies(state, client, files).await?;
        let steps = hold_steps(client, hold.business_id, hold.hold_id, STEPS_MAX).await?;
        let users: Vec<UserId> = steps.iter().filter_map(user_of).collect();
        let names = match viewer {
            Audience::Admin => user_names(client, viewer, &users).await?,
            Audience::Seller => HashMap::new(),
        };
        let shows_text = is_text_for(viewer, &hold);
        let history = steps.into_iter().map(|step| HoldHistoryStep {
            by: user_of(&step).and_then(|user| names.get(&user).cloned()),
            kind: step.kind.into(),
            occurred_at: step.occurred_at,
            amount: cents(step.amount),
            text: step.text.filter(|_| shows_text),
        });
        let history = history.collect();
        let mut rows = HoldReader(viewer).bodies(state, client, vec![hold]).await?;
        let hold = rows
            .pop()
            .ok_or_else(|| Problem::internal("a reader of holds lost one"))?;
        Ok(Self { hold, files, history })
    }
}

/// Whether the reasons of the hold were written for the reader.
fn is_text_for(viewer: Audience, hold: &Hold) -> bool {
    viewer == Audience::Admin || (hold.kind.is_placed_by_staff() && hold.hold_id != HoldId::EARLIER)
}

fn user_of(step: &HoldStep) -> Option<UserId> {
    step.actor.as_deref()?.parse().ok()
}

/// The list as a spreadsheet.
pub const HOLDS: Table<HoldRow> = Table {
    name: "valores-retidos",
    columns: COLUMNS,
};

const COLUMNS: &[Column<HoldRow>] = &[
    list_column("placedAt", "Retido em", 17, |row| Cell::Instant(row.placed_at)),
    list_column("business", "Empresa", 40, |row| text(&row.business_name)),
    list_column("kind", "Tipo", 22, |row| text(row.kind.label())),
    list_column("amount", "Valor retido", 16, |row| Cell::Money(row.amount)),
    list_column("placed", "Valor total", 16, |row| Cell::Money(row.placed)),
    list_column("released", "Liberado", 16, |row| Cell::Money(row.released)),
    list_column("paid", "Depositado em juízo", 16, |row| Cell::Money(row.paid)),
    list_column("missing", "Ainda a reter", 16, |row| Cell::Money(row.missing)),
    list_column("reason", "Motivo", 40, |row| text_or_empty(row.reason.as_deref())),
    list_column("until", "Rever em", 12, |row| {
        row.until.map_or(Cell::Empty, Cell::Date)
    }),
    list_column("documents", "Documentos pedidos", 40, |row| {
        text(row.documents.join(", "))
    }),
    list_column("documentsMissing", "Documentos a receber", 40, |row| {
        text(row.documents_missing.join(", "))
    }),
    list_column("caseNumber", "Processo", 28, |row| {
        text_or_empty(row.case_number.as_deref())
    }),
    list_column("court", "Vara", 28, |row| text_or_empty(row.court.as_deref())),
    list_column("state", "Status", 12, |row| text(row.state.label())),
    list_column("endedAt", "Encerrado em", 17, |row| {
        row.ended_at.map_or(Cell::Empty, Cell::Instant)
    }),
];
