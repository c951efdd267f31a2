//! An acquirer that answers no call: for tests of which acquirers are asked.

use async_trait::async_trait;
use gateway_acquirers::calls::{CallFault, CallOutcome};
use gateway_acquirers::charge::{
    Buyer, CardToken, ChargeAnswer, ChargeKey, ChargeOrder, CheckedCard, WholeCharge,
};
use gateway_acquirers::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use gateway_acquirers::payout::{OutgoingPayment, PayoutAnswer};
use gateway_acquirers::port::{Acquirer, CardTokens, TokenFormat};
use gateway_acquirers::receivable::ReceivablePage;
use ledger_domain::PayoutId;
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};

/// Turns off the only acquirer of the tests' configuration. The test then sets others.
pub const NO_ACQUIRER: [(&str, &str); 1] = [("RAZAO_ACQUIRER_VALORI_URL", "none")];

pub struct FakeAcquirer {
    pub provider: Provider,
    pub payment_types: &'static [PaymentType],
    /// The origin of its token endpoint; `None` if it takes no cards.
    pub token_origin: Option<&'static str>,
}

const NO_ANSWER: CallFault = CallFault("no_answer");

#[async_trait]
impl Acquirer for FakeAcquirer {
    fn provider(&self) -> Provider {
        self.provider
    }

    fn payment_types(&self) -> &'static [PaymentType] {
        self.payment_types
    }

    fn card_tokens(&self) -> Option<CardTokens> {
        self.token_origin.map(|origin| CardTokens {
            url: format!("{origin}/tokens"),
            origin: origin.to_owned(),
            format: TokenFormat::Sandbox,
            installments_max: PaymentType::INSTALLMENTS_MAX,
        })
    }

    fn tells_reversals(&self) -> bool {
        true
    }

    async fn check_card(&self, _token: &CardToken, _buyer: &Buyer) -> Option<CallOutcome<CheckedCard>> {
        None
    }

    async fn charge(&self, _order: &ChargeOrder) -> ChargeAnswer {
        CallOutcome::Unknown(NO_ANSWER)
    }

    async fn look_up(&self, _charge: &ChargeKey) -> ChargeAnswer {
        CallOutcome::Unknown(NO_ANSWER)
    }

    async fn capture(&self, _charge: &WholeCharge) -> ChargeAnswer {
        CallOutcome::Unknown(NO_ANSWER)
    }

    async fn cancel(&self, _charge: &ChargeKey) -> ChargeAnswer {
        CallOutcome::Unknown(NO_ANSWER)
    }

    async fn refund(&self, _refund: &WholeCharge) -> ChargeAnswer {
        CallOutcome::Unknown(NO_ANSWER)
    }

    async fn pay_out(&self, _: &OutgoingPayment) -> Option<PayoutAnswer> {
        None
    }

    async fn look_up_payout(&self, _: PayoutId) -> Option<PayoutAnswer> {
        None
    }

    fn read_notice(&self, _notice: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
        Err(NoticeFault::Unrelated)
    }

    async fn receivables(&self, _day: Date, _page: Option<&str>) -> Option<CallOutcome<ReceivablePage>> {
        None
    }
}
