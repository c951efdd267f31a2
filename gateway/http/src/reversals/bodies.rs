//! The reversal of a sale: the request of a user, and the preview of its effect on the balances.

use chrono::NaiveDate;
use ledger_domain::business::{AcceleratedReceivable, Balances, Preview, Sale};
use serde::Serialize;
use utoipa::ToSchema;

use crate::balance::bodies::balance::BalanceTotals;
use crate::problem::Result;
use crate::shared::cents;
use crate::shared::form::{form, line, optional, required, word};

/// The forms of both panels have the same limit (`REASON_CHARS_MAX`).
const REASON_CHARACTERS_MAX: usize = 200;

form! {
    pub struct SaleReversal {
        /// Up to 200 characters, without data of the buyer. Both panels show it.
        #[example = "Cliente desistiu da compra."]
        reason: Option<String> = optional(line(REASON_CHARACTERS_MAX)),
    }
}

ledger_domain::words! {
    pub enum DisputeOutcome else "Informe o resultado: won (ganha) ou lost (perdida)." {
        Won = "won",
        Lost = "lost",
    }
}

form! {
    pub struct DisputeEnd {
        /// won: the seller keeps the money. lost: the buyer gets it back.
        outcome: DisputeOutcome = word(),
        /// Where the end is known from, in up to 200 characters, without data of the buyer. Only staff see it.
        #[example = "E-mail da adquirente de 12/11, protocolo 4411."]
        reason: String = required(line(REASON_CHARACTERS_MAX), "Informe de onde vem o resultado."),
    }
}

/// The preview of a cancel or a dispute. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReversalPreview {
    /// Whether the available balance and the held part of the sale suffice before any installment is accelerated.
    #[schema(example = true)]
    pub covered: bool,
    /// The amount that leaves the available balance: the net for a cancel, the gross for a dispute.
    #[schema(example = 29_100)]
    pub needed: i64,
    #[schema(example = 30_000)]
    pub gross: i64,
    #[schema(example = 900)]
    pub fees: i64,
    #[schema(example = 29_100)]
    pub net: i64,
    /// The installments that would be paid at once, because the whole sale is taken from the balance.
    pub accelerated: Vec<AcceleratedInstallment>,
    /// The sum of the accelerated installments. It enters the available balance first.
    #[schema(example = 29_100)]
    pub accelerated_total: i64,
    /// Null for roles that may not see the company's balance.
    #[schema(required = true)]
    pub balance: Option<ReversalBalance>,
}

/// The effect of the reversal on the company's balance. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReversalBalance {
    /// The amount that can pay for the reversal: the available balance plus `released`.
    #[schema(example = 40_000)]
    pub available: i64,
    /// The amount of this sale that is held and would be released.
    #[schema(example = 0)]
    pub released: i64,
    /// If the balance does not suffice, the first due date by which the scheduled receivables make it suffice. Null if
    /// the balance suffices, if all scheduled receivables are too little, or while their schedule is not up to date.
    #[schema(required = true, example = json!(null))]
    pub covered_on: Option<NaiveDate>,
    /// The current balances.
    pub before: BalanceTotals,
    /// The balances after the reversal, even if it is not covered. Available is the current one plus
    /// `accelerated_total` and `released`, minus `needed`.
    pub after: BalanceTotals,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AcceleratedInstallment {
    #[schema(example = 2)]
    pub number: u8,
    #[schema(example = 9_700)]
    pub net: i64,
    #[schema(example = "2027-01-22")]
    pub due_date: NaiveDate,
}

impl ReversalPreview {
    /// For roles that may not see the balance: whether the balance suffices, and the amounts of the sale.
    pub fn without_balance(sale: &Sale, preview: Preview) -> Self {
        Self {
            covered: preview.is_covered(),
            needed: cents(preview.needed),
            gross: cents(sale.amount),
            fees: cents(sale.fees),
            net: cents(sale.net),
            accelerated_total: cents(preview.accelerated_total()),
            accelerated: preview.accelerated.into_iter().map(Into::into).collect(),
            balance: None,
        }
    }

    pub fn with_balance(sale: &Sale, preview: Preview, covered_on: Option<NaiveDate>) -> Result<Self> {
        let balance = ReversalBalance {
            available: cents(preview.payable()?),
            released: cents(preview.held),
            covered_on,
            before: preview.before.into(),
            after: preview.after.into(),
        };
        Ok(Self {
            balance: Some(balance),
            ..Self::without_balance(sale, preview)
        })
    }
}

impl From<Balances> for BalanceTotals {
    fn from(balances: Balances) -> Self {
        Self {
            available: cents(balances.available),
            receivable: cents(balances.receivable),
            in_transfer: cents(balances.in_transfer),
            blocked: cents(balances.blocked),
            held_by_staff: cents(balances.held_by_staff),
            in_dispute: cents(balances.in_dispute),
        }
    }
}

impl From<AcceleratedReceivable> for AcceleratedInstallment {
    fn from(installment: AcceleratedReceivable) -> Self {
        Self {
            number: installment.number,
            net: cents(installment.net),
            due_date: installment.due_date,
        }
    }
}
