//! The differences between the ledger and the acquirers in answers.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::reconciliation::{Difference, DifferenceKind, DifferenceState};
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, Cents, SaleId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::page::PageMeta;
use crate::shared::schemas::string_enum;

string_enum!(
    /// missing: the ledger expects it, and the acquirer did not report it by the day after. unknown: the acquirer
    /// reports it, and the ledger does not know it. amount, date: another gross or day. fee: a cost more than a
    /// cent off that of the expected rate. double: reported more than once.
    DifferenceKindName {
        Missing = "missing",
        Unknown = "unknown",
        Amount = "amount",
        Date = "date",
        Fee = "fee",
        Double = "double",
    }
);

string_enum!(
    /// open: waits for staff. resolved: by staff, with a reason. gone: a later comparison no longer finds it.
    DifferenceStateName {
        Open = "open",
        Resolved = "resolved",
        Gone = "gone",
    }
);

impl From<DifferenceKind> for DifferenceKindName {
    fn from(kind: DifferenceKind) -> Self {
        match kind {
            DifferenceKind::Missing => Self::Missing,
            DifferenceKind::Unknown => Self::Unknown,
            DifferenceKind::Amount => Self::Amount,
            DifferenceKind::Date => Self::Date,
            DifferenceKind::Fee => Self::Fee,
            DifferenceKind::Duplicate => Self::Double,
        }
    }
}

/// A difference between what the ledger expects and what an acquirer reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct DifferenceRow {
    pub id: Uuid,
    pub kind: DifferenceKindName,
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
    pub state: DifferenceStateName,
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
            state: match difference.state {
                DifferenceState::Open => DifferenceStateName::Open,
                DifferenceState::Resolved => DifferenceStateName::Resolved,
                DifferenceState::Gone => DifferenceStateName::Gone,
            },
            resolved_at: difference.resolution.as_ref().map(|resolution| resolution.at),
            reason: difference.resolution.map(|resolution| resolution.reason),
            resolved_by,
            version: difference.version,
            found_at: difference.found_at,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DifferencePage {
    pub data: Vec<DifferenceRow>,
    pub meta: PageMeta,
}
