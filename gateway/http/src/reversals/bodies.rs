//! The reversal of a sale: the request of a user, and the preview of its effect on the balances.

use chrono::NaiveDate;
use ledger_domain::Cents;
use ledger_domain::business::{AcceleratedReceivable, Balances, ConsumedReceivable, Preview, Sale};
use serde::Serialize;
use utoipa::ToSchema;

use crate::balance::bodies::balance::BalanceTotals;
use crate::problem::Result;
use crate::shared::cents;
use crate::shared::form::{cents_from_one, form, line, optional, required, word};

/// The forms of both panels have the same limit (`REASON_CHARS_MAX`).
const REASON_CHARACTERS_MAX: usize = 200;

form! {
    pub struct SaleCancel {
        /// What the buyer gets back, in cents. Without it, all that is left of the sale.
        #[example = 5_000]
        amount: Option<Cents> = optional(cents_from_one().or_null()),
        reversal: ..SaleReversal,
    }
}

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
    /// Whether the available balance and the held part of the sale suffice before any installment is accelerated or
    /// taken.
    #[schema(example = true)]
    pub covered: bool,
    /// What the seller pays: the net's share of `amount` for a cancel, the gross for a dispute.
    #[schema(example = 29_100)]
    pub needed: i64,
    /// What the buyer gets back, or what the dispute blocks.
    #[schema(example = 30_000)]
    pub amount: i64,
    /// What the platform gives back of its fees: the rest of `amount`.
    #[schema(example = 900)]
    pub fees_returned: i64,
    /// What can go back to the buyer at most: the gross without the parts that were refunded or charged back.
    #[schema(example = 30_000)]
    pub left: i64,
    /// Why only all that is left can go back, in Portuguese; null if a part can.
    #[schema(required = true, example = json!(null))]
    pub parts_refused: Option<String>,
    #[schema(example = 30_000)]
    pub gross: i64,
    #[schema(example = 900)]
    pub fees: i64,
    #[schema(example = 29_100)]
    pub net: i64,
    /// The installments that would be paid at once, because all that is left of the sale is taken from the balance.
    pub accelerated: Vec<AcceleratedInstallment>,
    /// The sum of the accelerated installments. It enters the available balance first.
    #[schema(example = 29_100)]
    pub accelerated_total: i64,
    /// The installments that pay for a part of the sale before the balance does, the last due first.
    pub taken: Vec<TakenInstallment>,
    /// The sum of the taken installments. The available balance pays the rest of `needed`.
    #[schema(example = 0)]
    pub taken_total: i64,
    /// Null for roles that may not see the company's balance.
    #[schema(required = true)]
    pub balance: Option<ReversalBalance>,
}

/// The effect of the reversal on the company's balance. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReversalBalance {
    /// The amount that can pay for the reversal: the available balance plus what is held of this sale.
    #[schema(example = 40_000)]
    pub available: i64,
    /// What would be released of the amount of this sale that is held.
    #[schema(example = 0)]
    pub released: i64,
    /// If the balance does not suffice, the first due date by which the scheduled receivables make it suffice. Null if
    /// the balance suffices, if all scheduled receivables are too little, or while their schedule is not up to date.
    #[schema(required = true, example = json!(null))]
    pub covered_on: Option<NaiveDate>,
    /// The current balances.
    pub before: BalanceTotals,
    /// The balances after the reversal, even if it is not covered. Available is the current one plus
    /// `accelerated_total`, `taken_total` and `released`, minus `needed`.
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

/// What a part of the sale takes from an installment. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct TakenInstallment {
    #[schema(example = 3)]
    pub number: u8,
    /// What is taken of the net.
    #[schema(example = 4_850)]
    pub net: i64,
    /// What is still paid on the due date; 0 if the installment ends.
    #[schema(example = 4_850)]
    pub left: i64,
    #[schema(example = "2027-02-22")]
    pub due_date: NaiveDate,
}

impl ReversalPreview {
    /// For roles that may not see the balance: whether the balance suffices, and the amounts of the sale.
    pub fn without_balance(sale: &Sale, preview: Preview, parts_refused: Option<String>) -> Self {
        Self {
            covered: preview.is_covered(),
            needed: cents(preview.needed),
            amount: cents(preview.amount),
            fees_returned: cents(preview.fees_returned()),
            left: cents(sale.left()),
            parts_refused,
            gross: cents(sale.amount),
            fees: cents(sale.fees),
            net: cents(sale.net),
            accelerated_total: cents(preview.accelerated_total()),
            taken_total: cents(preview.consumed_total()),
            accelerated: preview.accelerated.into_iter().map(Into::into).collect(),
            taken: preview.consumed.into_iter().map(Into::into).collect(),
            balance: None,
        }
    }

    pub fn with_balance(
        sale: &Sale,
        preview: Preview,
        parts_refused: Option<String>,
        covered_on: Option<NaiveDate>,
    ) -> Result<Self> {
        let balance = ReversalBalance {
            available: cents(preview.payable()?),
            released: cents(preview.released),
            covered_on,
            before: preview.before.into(),
            after: preview.after.into(),
        };
        Ok(Self {
            balance: Some(balance),
            ..Self::without_balance(sale, preview, parts_refused)
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

impl From<ConsumedReceivable> for TakenInstallment {
    fn from(installment: ConsumedReceivable) -> Self {
        Self {
            number: installment.number,
            net: cents(installment.net),
            left: cents(installment.left),
            due_date: installment.due_date,
        }
    }
}
