//! The bodies of the sandbox's own contract. The sandbox's server reads and writes the same types.

use ledger_domain::calendar::{Date, Instant};
use ledger_domain::documents::Document;
use ledger_domain::sale::CardBrand;
use ledger_domain::transfer::Destination;
use ledger_domain::{Cents, PayoutId, SaleId};
use serde::{Deserialize, Serialize};

use crate::calls::{CallOutcome, UNREADABLE, sanitized};
use crate::charge::{
    Buyer, BuyerAddress, Charge, ChargeOrder, ChargeState, ChargedCard, Decline, NextAction, PaymentMethod,
};
use crate::names::{ReportedNames, ReportedPayoutNames};
use crate::payout::{OutgoingPayment, PayoutAnswer, PayoutResult};
use crate::receivable::{AcquirerReceivable, ReceivablePage};

/// `POST /charges`, with the sale's id as the `Idempotency-Key`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderBody {
    pub sale_id: SaleId,
    pub amount: Cents,
    pub description: String,
    pub statement_descriptor: String,
    pub buyer: BuyerBody,
    pub payment_method: PaymentMethodBody,
    pub notice_url: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub struct BuyerBody {
    pub name: String,
    pub document: Document,
    pub email: String,
    pub phone: String,
    pub address: Option<AddressBody>,
}

#[derive(Serialize, Deserialize)]
pub struct AddressBody {
    pub postal_code: String,
    pub street: String,
    pub number: String,
    pub complement: Option<String>,
    pub district: String,
    pub city: String,
    pub state: String,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PaymentMethodBody {
    Card {
        token: String,
        installments: u8,
        return_url: String,
    },
    Pix {
        expires_at: Instant,
    },
    Boleto {
        due_on: Date,
    },
}

/// The answer of each call about a charge.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChargeBody {
    pub id: String,
    pub sale_id: SaleId,
    pub amount: Cents,
    /// The sum that went back to the buyer; absent if nothing did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refunded: Option<Cents>,
    pub status: StatusBody,
    pub decline: Option<Decline>,
    pub next_action: Option<NextActionBody>,
    pub card: Option<CardBody>,
    #[serde(default)]
    pub names: ReportedNames,
    #[serde(default)]
    pub return_names: ReportedNames,
    pub at: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusBody {
    Pending,
    Authorized,
    Paid,
    Declined,
    Canceled,
    Refunded,
    Reversed,
    Disputed,
    ChargedBack,
    PartlyRefunded,
    Unlisted,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum NextActionBody {
    Pix {
        code: String,
        expires_at: Instant,
    },
    Boleto {
        line: String,
        barcode: String,
        due_on: Date,
        pix: Option<String>,
    },
    Challenge {
        url: String,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CardBody {
    pub brand: Option<CardBrand>,
    pub last_four: String,
    pub authorization_code: Option<String>,
}

/// `POST /card-tokens/read`, answered with a `CardBody`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenBody {
    pub token: String,
}

/// `POST /charges/{id}/refund`, of the whole amount, or of a part under an `Idempotency-Key`.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundBody {
    pub amount: Cents,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct NoticeBody {
    pub event: String,
    pub charge_id: Option<String>,
    pub sale_id: Option<String>,
}

/// `POST /payouts`, with the payout's id as the `Idempotency-Key`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayoutOrderBody {
    pub payout_id: PayoutId,
    pub amount: Cents,
    pub receiver_name: String,
    pub receiver_document: Document,
    pub destination: Destination,
}

/// The answer of each call about a payout.
#[derive(Debug, Serialize, Deserialize)]
pub struct PayoutAnswerBody {
    pub status: PayoutStatus,
    /// When it ended.
    pub at: Option<Instant>,
    pub reason: Option<String>,
    #[serde(default)]
    pub names: ReportedPayoutNames,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PayoutStatus {
    Pending,
    Paid,
    Failed,
}

/// `GET /receivables?day=&after=`.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReceivablesBody {
    pub receivables: Vec<ReceivableBody>,
    pub next: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ReceivableBody {
    pub charge_id: String,
    pub sale_id: Option<SaleId>,
    pub installment: u8,
    pub gross: Cents,
    pub cost: Cents,
    pub net: Cents,
    pub expected_on: Date,
    pub paid_on: Option<Date>,
    pub canceled: bool,
}

impl From<&ChargeOrder> for OrderBody {
    fn from(order: &ChargeOrder) -> Self {
        Self {
            sale_id: order.sale_id,
            amount: order.amount,
            description: order.description.clone(),
            statement_descriptor: order.statement_descriptor.clone(),
            buyer: BuyerBody::from(&order.buyer),
            payment_method: PaymentMethodBody::from(&order.payment_method),
            notice_url: order.notice_url.as_ref().map(|url| url.0.clone()),
        }
    }
}

impl From<&Buyer> for BuyerBody {
    fn from(buyer: &Buyer) -> Self {
        Self {
            name: buyer.name.clone(),
            document: buyer.document.clone(),
            email: buyer.email.clone(),
            phone: buyer.phone.clone(),
            address: buyer.address.as_ref().map(AddressBody::from),
        }
    }
}

impl From<&BuyerAddress> for AddressBody {
    fn from(address: &BuyerAddress) -> Self {
        Self {
            postal_code: address.postal_code.clone(),
            street: address.street.clone(),
            number: address.number.clone(),
            complement: address.complement.clone(),
            district: address.district.clone(),
            city: address.city.clone(),
            state: address.state.clone(),
        }
    }
}

impl From<&PaymentMethod> for PaymentMethodBody {
    fn from(payment_method: &PaymentMethod) -> Self {
        match payment_method {
            PaymentMethod::Card {
                token,
                installments,
                return_url,
            } => Self::Card {
                token: token.0.clone(),
                installments: *installments,
                return_url: return_url.clone(),
            },
            PaymentMethod::Pix { expires_at } => Self::Pix {
                expires_at: *expires_at,
            },
            PaymentMethod::Boleto { due_on } => Self::Boleto { due_on: *due_on },
        }
    }
}

impl StatusBody {
    const fn state(self, decline: Option<Decline>) -> ChargeState {
        match (self, decline) {
            (Self::Pending, _) => ChargeState::Pending,
            (Self::Authorized, _) => ChargeState::Authorized,
            (Self::Paid, _) => ChargeState::Paid,
            (Self::Declined, Some(decline)) => ChargeState::Declined(decline),
            (Self::Declined, None) => ChargeState::Declined(Decline::Other),
            (Self::Canceled, _) => ChargeState::Canceled,
            (Self::Refunded, _) => ChargeState::Refunded,
            (Self::Reversed, _) => ChargeState::Reversed,
            (Self::Disputed, _) => ChargeState::Disputed,
            (Self::ChargedBack, _) => ChargeState::ChargedBack,
            (Self::PartlyRefunded, _) => ChargeState::PartlyRefunded,
            (Self::Unlisted, _) => ChargeState::Unlisted,
        }
    }

    /// The status of a state, and the reason if it is a decline.
    pub const fn of(state: ChargeState) -> (Self, Option<Decline>) {
        match state {
            ChargeState::Pending => (Self::Pending, None),
            ChargeState::Authorized => (Self::Authorized, None),
            ChargeState::Paid => (Self::Paid, None),
            ChargeState::Declined(decline) => (Self::Declined, Some(decline)),
            ChargeState::Canceled => (Self::Canceled, None),
            ChargeState::Refunded => (Self::Refunded, None),
            ChargeState::Reversed => (Self::Reversed, None),
            ChargeState::Disputed => (Self::Disputed, None),
            ChargeState::ChargedBack => (Self::ChargedBack, None),
            ChargeState::PartlyRefunded => (Self::PartlyRefunded, None),
            ChargeState::Unlisted => (Self::Unlisted, None),
        }
    }
}

impl From<ChargeBody> for Charge {
    fn from(body: ChargeBody) -> Self {
        let state = body.status.state(body.decline);
        Self {
            state,
            status: state.as_str().to_owned(),
            charge_id: body.id,
            amount: Some(body.amount),
            refunded: body.refunded,
            next_action: body.next_action.map(NextAction::from),
            card: body.card.map(|card| ChargedCard {
                brand: card.brand,
                last_four: Some(card.last_four),
                authorization_code: card.authorization_code,
            }),
            names: body.names,
            return_names: body.return_names,
            at: Some(body.at),
        }
    }
}

impl From<NextActionBody> for NextAction {
    fn from(body: NextActionBody) -> Self {
        match body {
            NextActionBody::Pix { code, expires_at } => Self::Pix {
                code,
                expires_at: Some(expires_at),
            },
            NextActionBody::Boleto {
                line,
                barcode,
                due_on,
                pix,
            } => Self::Boleto {
                line,
                barcode: Some(barcode),
                due_on: Some(due_on),
                pix,
            },
            NextActionBody::Challenge { url } => Self::Challenge { url },
        }
    }
}

impl From<&OutgoingPayment> for PayoutOrderBody {
    fn from(payment: &OutgoingPayment) -> Self {
        Self {
            payout_id: payment.payout_id,
            amount: payment.amount,
            receiver_name: payment.receiver.name.clone(),
            receiver_document: payment.receiver.document.clone(),
            destination: payment.destination.clone(),
        }
    }
}

impl PayoutAnswerBody {
    pub fn read(self) -> PayoutAnswer {
        CallOutcome::Answered(match (self.status, self.at) {
            (PayoutStatus::Pending, _) => PayoutResult::Accepted,
            (PayoutStatus::Paid, Some(at)) => PayoutResult::Paid {
                at,
                names: self.names,
            },
            (PayoutStatus::Failed, Some(at)) => PayoutResult::Failed {
                at,
                reason: self.reason.map(|reason| sanitized(&reason)),
            },
            (PayoutStatus::Paid | PayoutStatus::Failed, None) => return CallOutcome::Unknown(UNREADABLE),
        })
    }
}

impl From<ReceivablesBody> for ReceivablePage {
    fn from(body: ReceivablesBody) -> Self {
        Self {
            receivables: body.receivables.into_iter().map(Into::into).collect(),
            unreadable: vec![],
            next: body.next,
        }
    }
}

impl From<ReceivableBody> for AcquirerReceivable {
    fn from(body: ReceivableBody) -> Self {
        Self {
            charge_id: body.charge_id,
            sale_id: body.sale_id,
            installment: body.installment,
            gross: body.gross,
            cost: body.cost,
            net: body.net,
            expected_on: Some(body.expected_on),
            paid_on: body.paid_on,
            canceled: body.canceled,
        }
    }
}
