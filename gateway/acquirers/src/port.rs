//! The port: the calls that the platform makes to an acquirer, which each adapter implements.

use async_trait::async_trait;
use ledger_domain::PayoutId;
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};

use crate::calls::{CallFault, CallOutcome};
use crate::charge::{
    Buyer, CardToken, ChargeAnswer, ChargeKey, ChargeOrder, ChargePart, CheckedCard, WholeCharge,
};
use crate::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use crate::payout::{OutgoingPayment, PayoutAnswer};
use crate::receivable::ReceivablePage;

#[async_trait]
pub trait Acquirer: Send + Sync {
    fn provider(&self) -> Provider;

    /// The payment types that it takes from a checkout. Cards are among them only if a browser can call its token
    /// endpoint without a secret of ours.
    fn payment_types(&self) -> &'static [PaymentType];

    /// Where a buyer's browser turns card data into a token. `None` if it takes no cards.
    fn card_tokens(&self) -> Option<CardTokens>;

    /// Whether it tells a reversal of its own from a refund that somebody asked for. If not, it shows both as refunded.
    fn tells_reversals(&self) -> bool;

    /// Reads a card's brand from its token, so that it is not charged at another brand's price. `None` if the acquirer
    /// tells no brand before a charge. After any other answer, only the answer's token can be charged.
    async fn check_card(&self, token: &CardToken, buyer: &Buyer) -> Option<CallOutcome<CheckedCard>>;

    /// Deletes what `check_card` has saved of a card that will not be charged. Nothing depends on the answer.
    async fn forget_card(&self, _token: &CardToken) {}

    /// Orders a charge. The caller looks it up before it repeats the call, so that it is ordered once.
    async fn charge(&self, order: &ChargeOrder) -> ChargeAnswer;

    /// Looks up a charge. `NotFound` only if the acquirer is certain that it has none; a rejected look-up proves
    /// nothing.
    async fn look_up(&self, charge: &ChargeKey) -> ChargeAnswer;

    /// Captures the whole amount of an authorized charge.
    async fn capture(&self, charge: &WholeCharge) -> ChargeAnswer;

    /// Cancels a charge that is not paid. The answer may still be pending; a later look-up shows the end. A PIX for
    /// which the acquirer has no cancellation stays pending until it expires. A charge that was paid before is answered
    /// as paid.
    async fn cancel(&self, charge: &ChargeKey) -> ChargeAnswer;

    /// Returns the whole amount of a paid charge to the buyer.
    async fn refund(&self, charge: &WholeCharge) -> ChargeAnswer;

    /// The payment types whose charges its contract lets give back in parts. Others go back in whole.
    fn part_refunds(&self) -> &'static [PaymentType] {
        &[]
    }

    /// Whether a part that is requested again under its id goes back once. If not, staff decide about a request without
    /// an answer.
    fn repeats_part_refunds(&self) -> bool {
        false
    }

    /// Returns a part of a paid charge to the buyer. Any charge as the answer means that the part went back.
    async fn refund_part(&self, _part: &ChargePart) -> ChargeAnswer {
        CallOutcome::Rejected(CallFault("not_offered"))
    }

    /// Sends money out of our account there. It can be repeated: the payout's id is the idempotency key. `None` if the
    /// adapter supports no payouts.
    async fn pay_out(&self, payment: &OutgoingPayment) -> Option<PayoutAnswer>;

    /// Looks up a payout. `NotFound` only if the acquirer is certain that it has none; it may then be sent again under
    /// the same id.
    async fn look_up_payout(&self, payout_id: PayoutId) -> Option<PayoutAnswer>;

    /// Reads a notice. The caller has checked the secret in its address.
    fn read_notice(&self, notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault>;

    /// Lists the receivables that the acquirer expects to pay, or has paid, on this day. `page` is `next` of the page
    /// before. `None` if the adapter has no such call: the acquirer's settlement files are then the only source.
    async fn receivables(&self, day: Date, page: Option<&str>) -> Option<CallOutcome<ReceivablePage>>;
}

/// The token endpoint for a browser. It is called with card data, which never come to us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardTokens {
    pub url: String,
    /// Scheme, host and port of `url`, for the page's `connect-src`.
    pub origin: String,
    pub format: TokenFormat,
    /// The most installments of a charge with such a token.
    pub installments_max: u8,
}

/// The body that the endpoint takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenFormat {
    /// `{account_id, method: "credit_card", test, data: {number, verification_value, first_name, last_name, month,
    /// year}}` answers `{id}`.
    Iugu { account_id: String, test: bool },
    /// `{number, holder, month, year, security_code}` answers `{token}`.
    Sandbox,
}

/// Scheme, host and port of an address, as browsers write it. `None` if it is not an address of HTTP.
pub fn origin(url: &str) -> Option<String> {
    let parsed = reqwest::Url::parse(url).ok()?;
    matches!(parsed.scheme(), "http" | "https").then(|| parsed.origin().ascii_serialization())
}
