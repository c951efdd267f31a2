//! The orders to an acquirer to charge a buyer, and the acquirer's answers.

use gateway_environment::config::{Live, Secret};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::documents::Document;
use ledger_domain::ids::RefundId;
use ledger_domain::sale::CardBrand;
use ledger_domain::{Cents, SaleId};
use serde::{Deserialize, Serialize};

use crate::calls::CallOutcome;
use crate::names::ReportedNames;

/// One payment to collect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeOrder {
    /// Our id of the sale: the acquirer's idempotency key or reference.
    pub sale_id: SaleId,
    pub amount: Cents,
    pub description: String,
    /// The text on the buyer's card statement.
    pub statement_descriptor: String,
    pub buyer: Buyer,
    pub payment_method: PaymentMethod,
    /// Where the acquirer sends its notices, with the secret in its path. `None` if notices are set up at the acquirer.
    pub notice_url: Option<SecretUrl>,
}

/// How the buyer pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentMethod {
    Card {
        token: CardToken,
        installments: u8,
        /// Where the acquirer sends the buyer's browser after a 3-D Secure challenge.
        return_url: String,
    },
    Pix {
        expires_at: Instant,
    },
    Boleto {
        due_on: Date,
    },
}

/// The person who pays. Erasable data: no log line has it.
#[derive(Clone, PartialEq, Eq)]
pub struct Buyer {
    pub name: String,
    pub document: Document,
    pub email: String,
    /// 10 or 11 digits with the area code.
    pub phone: String,
    /// Boletos need it.
    pub address: Option<BuyerAddress>,
}

#[derive(Clone, PartialEq, Eq)]
pub struct BuyerAddress {
    /// 8 digits.
    pub postal_code: String,
    pub street: String,
    pub number: String,
    pub complement: Option<String>,
    pub district: String,
    pub city: String,
    /// Two letters.
    pub state: String,
}

/// An acquirer's token of a card, good for one charge.
#[derive(Clone, PartialEq, Eq)]
pub struct CardToken(pub String);

/// An address with a secret in its path.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretUrl(pub String);

/// A key or token with which we call an acquirer. A reload of the configuration may replace it between two calls.
#[derive(Clone)]
pub struct ApiKey(pub Live<Secret<String>>);

impl ApiKey {
    /// One that is never replaced.
    pub fn fixed(key: &str) -> Self {
        Self(Live::new(Secret::new(key.to_owned())))
    }

    pub fn reveal(&self) -> String {
        self.0.get().reveal().clone()
    }
}

/// `Debug` for what must not reach a log: the buyer's data, the card's token and secrets.
macro_rules! hidden_in_logs {
    ($($type:ident),+) => {
        $(impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($type), "(hidden)"))
            }
        })+
    };
}
hidden_in_logs!(ApiKey, Buyer, BuyerAddress, CardToken, SecretUrl);

/// How a charge is looked up: by the acquirer's id if it is known, else by our sale id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeKey {
    pub sale_id: SaleId,
    /// The id of the charge at the acquirer.
    pub charge_id: Option<String>,
}

/// The result of a call about a charge.
pub type ChargeAnswer = CallOutcome<Charge>;

/// A charge as the acquirer knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    /// The id of the charge at the acquirer.
    pub charge_id: String,
    pub state: ChargeState,
    /// The acquirer's own word for the state, for staff.
    pub status: String,
    /// The amount that the acquirer states. A payment of another amount than ordered goes to staff.
    pub amount: Option<Cents>,
    /// The sum that went back to the buyer until now, if the acquirer states it.
    pub refunded: Option<Cents>,
    /// The step that the buyer takes to pay it, if the acquirer names one.
    pub next_action: Option<NextAction>,
    pub card: Option<ChargedCard>,
    /// The names of the payment, as far as the acquirer tells them.
    pub names: ReportedNames,
    /// The names of what went back to the buyer.
    pub return_names: ReportedNames,
    /// When the state was reached, as the acquirer states it.
    pub at: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeState {
    /// Neither paid nor ended.
    Pending,
    /// The issuer holds the amount, and a capture must follow.
    Authorized,
    Paid,
    /// Ended without a payment.
    Declined(Decline),
    /// Ended without a payment: canceled or expired.
    Canceled,
    /// The buyer got the money back by a refund.
    Refunded,
    /// The acquirer reversed the payment.
    Reversed,
    Disputed,
    ChargedBack,
    /// Paid, and a part of the amount went back to the buyer.
    PartlyRefunded,
    /// A status that moves money in a way that the adapter cannot tell, or that it does not know. Staff decide.
    Unlisted,
}

impl ChargeState {
    pub const ALL: [Self; 11] = [
        Self::Pending,
        Self::Authorized,
        Self::Paid,
        Self::Declined(Decline::Other),
        Self::Canceled,
        Self::Refunded,
        Self::Reversed,
        Self::Disputed,
        Self::ChargedBack,
        Self::PartlyRefunded,
        Self::Unlisted,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Authorized => "authorized",
            Self::Paid => "paid",
            Self::Declined(_) => "declined",
            Self::Canceled => "canceled",
            Self::Refunded => "refunded",
            Self::Reversed => "reversed",
            Self::Disputed => "disputed",
            Self::ChargedBack => "charged_back",
            Self::PartlyRefunded => "partly_refunded",
            Self::Unlisted => "unlisted",
        }
    }
}

/// Why a charge was declined, as far as the buyer can do something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decline {
    InsufficientFunds,
    /// The number, the holder or the expiry is wrong.
    CardData,
    SecurityCode,
    ExpiredCard,
    /// Blocked, lost or stolen. The buyer does not learn which.
    BlockedCard,
    CallIssuer,
    Installments,
    /// The acquirer's own rules against fraud.
    Risk,
    /// A fault on the way to the issuer. The same card may work later.
    Temporary,
    Other,
}

/// The step that a buyer takes next to pay a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextAction {
    Pix {
        code: String,
        expires_at: Option<Instant>,
    },
    Boleto {
        /// The digitable line, not checked yet.
        line: String,
        /// Not checked yet. Some acquirers send the line alone.
        barcode: Option<String>,
        due_on: Option<Date>,
        /// The code with which the same charge can be paid by PIX.
        pix: Option<String>,
    },
    /// A 3-D Secure challenge: the buyer's browser goes there and comes back.
    Challenge { url: String },
}

/// The acquirer's data about the card.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChargedCard {
    pub brand: Option<CardBrand>,
    pub last_four: Option<String>,
    pub authorization_code: Option<String>,
}

/// A card as its acquirer reads it from a token, before it is charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedCard {
    /// The token to charge. Some acquirers exchange it when they read it.
    pub token: CardToken,
    /// `None` if the acquirer does not tell it.
    pub brand: Option<CardBrand>,
    pub last_four: Option<String>,
}

/// A part of a charge, to give it back to the buyer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargePart {
    /// The acquirer's idempotency key, if it takes one.
    pub refund_id: RefundId,
    pub key: ChargeKey,
    pub amount: Cents,
}

/// A charge and its whole amount, to capture it or to refund it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeCharge {
    pub key: ChargeKey,
    pub amount: Cents,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_debug_form_of_an_order_shows_no_secret_and_no_data_of_the_buyer() {
        let order = ChargeOrder {
            sale_id: SaleId::from_uuid(Uuid::from_u128(1)),
            amount: Cents::new(100_00),
            description: "Bolo".to_owned(),
            statement_descriptor: "PADARIA".to_owned(),
            buyer: Buyer {
                name: "Ana Lima".to_owned(),
                document: Document::parse("529.982.247-25").expect("a CPF"),
                email: "ana@example.com".to_owned(),
                phone: "11987654321".to_owned(),
                address: None,
            },
            payment_method: PaymentMethod::Card {
                token: CardToken("tok_1".to_owned()),
                installments: 1,
                return_url: String::new(),
            },
            notice_url: Some(SecretUrl("http://gateway/s3cret".to_owned())),
        };
        let shown = format!("{order:?} {:?}", ApiKey::fixed("zpk_1"));
        for hidden in ["Ana", "529", "ana@", "1198", "tok_1", "s3cret", "zpk_1"] {
            assert!(!shown.contains(hidden), "{hidden} in {shown}");
        }
    }
}
