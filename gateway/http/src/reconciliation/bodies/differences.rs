//! The differences between the ledger and the acquirers in answers.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::reconciliation::{Difference, DifferenceKind, DifferenceState};
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::form::{form, int32, line, optional};
use crate::shared::list::PageOf;
use crate::shared::schemas::Word;

pub type DifferenceKindWord = Word<DifferenceKind>;
pub type DifferenceStateWord = Word<DifferenceState>;

/// A difference between what the ledger expects and what an acquirer reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct DifferenceRow {
    pub id: Uuid,
    pub kind: DifferenceKindWord,
    /// The acquirer's number, 1 to 8.
    #[schema(value_type = u8, example = 1)]
    pub provider: Provider,
    /// The day under which it is summed up: the due date, else the acquirer's day.
    pub day: NaiveDate,
    #[schema(required = true, value_type = Option<String>)]
    pub sale_id: Option<SaleId>,
    #[schema(required = true, value_type = Option<String>)]
    pub business_id: Option<BusinessId>,
    #[schema(required = true)]
    pub business_name: Option<String>,
    /// From 1.
    #[schema(example = 1)]
    pub installment: u8,
    /// The acquirer's name of the charge.
    #[schema(required = true, example = "1006993069000A1B2C3")]
    pub reference: Option<String>,
    /// Gross in cents. If the kind is fee, the expected cost.
    #[schema(required = true, value_type = Option<i64>, example = 10_000)]
    pub expected: Option<Cents>,
    /// Gross in cents. If the kind is fee, the acquirer's cost.
    #[schema(required = true, value_type = Option<i64>, example = 9_900)]
    pub reported: Option<Cents>,
    /// Its part of the day's difference, in cents.
    #[schema(value_type = i64, example = -100)]
    pub delta: Cents,
    #[schema(required = true)]
    pub expected_on: Option<NaiveDate>,
    #[schema(required = true)]
    pub reported_on: Option<NaiveDate>,
    /// The import that reported it last.
    #[schema(required = true)]
    pub import_id: Option<Uuid>,
    #[schema(required = true, example = "extrato-20261121.txt")]
    pub file_name: Option<String>,
    #[schema(required = true, example = 42)]
    pub line: Option<u64>,
    pub state: DifferenceStateWord,
    /// Only if resolved.
    #[schema(required = true, example = "Confirmado com a adquirente.")]
    pub reason: Option<String>,
    /// The name of the user who resolved it, if it is known.
    #[schema(required = true)]
    pub resolved_by: Option<String>,
    /// UTC instant.
    #[schema(required = true)]
    pub resolved_at: Option<DateTime<Utc>>,
    /// A decision sends the version that it started from.
    #[schema(example = 1)]
    pub version: i32,
    /// UTC instant.
    pub found_at: DateTime<Utc>,
}

impl DifferenceRow {
    pub fn of(difference: Difference, resolved_by: Option<String>) -> Self {
        Self {
            id: difference.id,
            kind: difference.kind.into(),
            provider: difference.provider,
            day: difference.day,
            sale_id: difference.sale_id,
            business_id: difference.business_id,
            business_name: difference.business_name,
            installment: difference.installment,
            reference: difference.reference,
            expected: difference.expected,
            reported: difference.reported,
            delta: difference.delta,
            expected_on: difference.expected_on,
            reported_on: difference.reported_on,
            import_id: difference.import_id,
            file_name: difference.file_name,
            line: difference.line,
            state: difference.state.into(),
            resolved_at: difference.resolution.as_ref().map(|resolution| resolution.at),
            reason: difference.resolution.map(|resolution| resolution.reason),
            resolved_by,
            version: difference.version,
            found_at: difference.found_at,
        }
    }
}

pub type DifferencePage = PageOf<DifferenceRow>;

form! {
    pub struct DecisionForm {
        /// For resolve: why nothing is left to do. Up to 500 characters. Card numbers are masked.
        #[example = "Confirmado com a adquirente."]
        reason: Option<String> = optional(line(500)),
        /// The version of the difference that the decision started from. Without it, changes in between are not noticed.
        #[example = 1]
        version: Option<i32> = optional(int32()),
    }
}
