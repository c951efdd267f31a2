//! A payment that an acquirer reports for an installment.

use ledger_domain::calendar::Date;
use ledger_domain::sale::CardBrand;
use ledger_domain::{Cents, SaleId};

ledger_domain::words! {
    /// Why the acquirer reports the amount. partial: a part of the installment.
    pub enum EntryKind {
        Payment = "payment" => "Pagamento",
        /// A part of an installment, such as a boleto that is paid in parts.
        Partial = "partial" => "Pagamento parcial",
        /// The payment is taken back.
        Cancellation = "cancellation" => "Cancelamento",
        Chargeback = "chargeback" => "Chargeback",
    }
}

impl EntryKind {
    /// Cancellations and chargebacks are negative, whatever the sign in the source.
    pub fn signed(self, amount: Cents) -> Cents {
        let absolute = amount.get().saturating_abs();
        Cents::new(match self {
            Self::Payment | Self::Partial => amount.get(),
            Self::Cancellation | Self::Chargeback => -absolute,
        })
    }
}

/// One installment, as a settlement file or the acquirer's API reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedPayment {
    /// The acquirer's id of the charge. For a card without a unique id: the day of the sale, NSU and authorization. For
    /// a part of a boleto: its number, day and amount, because a boleto has several parts.
    pub reference: String,
    pub installment: u8,
    pub entry: EntryKind,
    /// Our sale id, if the acquirer repeats it.
    pub sale_id: Option<SaleId>,
    /// The ids in the report that may be our sale's external id (the acquirer's id of the sale), the likeliest first.
    pub external_ids: Vec<String>,
    pub authorization_code: Option<String>,
    /// The brand of the card, if the report names one that is known.
    pub brand: Option<CardBrand>,
    pub sold_on: Option<Date>,
    pub gross: Cents,
    /// The acquirer's fee. `None`: the file's field cannot be read.
    pub cost: Option<Cents>,
    pub net: Cents,
    pub expected_on: Option<Date>,
    pub paid_on: Option<Date>,
    /// The acquirer's answer marks the row as canceled, so its amount does not count. A file reports a cancellation as
    /// an entry with a negative amount, which counts.
    pub canceled: bool,
    /// The line of a file.
    pub line: Option<u64>,
}

impl ReportedPayment {
    /// Whether no amount is larger than a sale can have. Larger amounts could make the sum of a day overflow.
    pub fn has_possible_amounts(&self) -> bool {
        let most = Cents::AMOUNT_MAX.get().unsigned_abs();
        let amounts = [self.gross, self.cost.unwrap_or_default(), self.net];
        amounts.iter().all(|amount| amount.get().unsigned_abs() <= most)
    }

    /// The day on which the acquirer paid, else that on which it expects to pay.
    pub fn day(&self) -> Option<Date> {
        self.paid_on.or(self.expected_on)
    }
}
