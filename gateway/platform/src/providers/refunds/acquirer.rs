//! Refunds by the acquirer that charged the sale for an order. Its adapter refunds the whole charge, and the charge's own
//! state tells whether the buyer has the money back. That state does not tell parts apart: a part whose request got no
//! answer is requested again if the contract takes our id as a key, else staff decide.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use gateway_acquirers::charge::{Charge, ChargeAnswer, ChargeKey, ChargePart, ChargeState, WholeCharge};
use gateway_acquirers::port::Acquirer;
use ledger_domain::SaleId;
use ledger_domain::sale::Provider;
use tokio_postgres::types::Type;

use super::{RefundAnswer, RefundRequest, RefundResult, Refunds};
use crate::acquirers::Acquirers;
use crate::error::Result;
use crate::providers::calls::{CallFault, CallOutcome};

/// The most calls of a request or of the look-up before it. Both together look the charge up, refund it, and look it up
/// again, and an adapter may need two calls for each of these.
const CALLS_MAX: u32 = 3;

pub struct AcquirerRefunds {
    pub pool: Pool,
    pub acquirers: Arc<Acquirers>,
    /// The longest time to wait for an acquirer's answer to a call.
    pub call_timeout: Duration,
}

const NOT_CONFIGURED: RefundAnswer = CallOutcome::Rejected(CallFault("not_configured"));

impl AcquirerRefunds {
    /// The acquirer's id is read again for each try: it may have been unknown when the refund was requested.
    async fn charge_of(&self, sale_id: SaleId) -> Result<ChargeKey> {
        let client = self.pool.get().await?;
        let row = client
            .query_typed_opt(
                "SELECT acquirer_id FROM order_attempt WHERE sale_id = $1",
                &[(&sale_id.uuid(), Type::UUID)],
            )
            .await?;
        Ok(ChargeKey {
            sale_id,
            charge_id: row.and_then(|row| row.get(0)),
        })
    }
}

/// The state of the refund that follows from the state of its charge. `None`: the charge is not refunded yet.
fn result_by_state(charge: &Charge) -> Option<RefundAnswer> {
    Some(match charge.state {
        ChargeState::Refunded | ChargeState::Reversed | ChargeState::Canceled => done(charge),
        ChargeState::Paid | ChargeState::Authorized | ChargeState::Pending => return None,
        ChargeState::Disputed => refused("O pagamento está em disputa na adquirente"),
        ChargeState::ChargedBack => refused("O pagamento foi devolvido por uma disputa"),
        ChargeState::Declined(_) => refused("A adquirente não tem este pagamento como pago"),
        ChargeState::PartlyRefunded => refused("A adquirente já devolveu uma parte deste pagamento"),
        ChargeState::Unlisted => CallOutcome::Unknown(CallFault("unlisted_status")),
    })
}

fn refused(reason: &str) -> RefundAnswer {
    CallOutcome::Answered(RefundResult::Refused {
        reason: Some(reason.to_owned()),
    })
}

/// The state of the refund that follows from the answer to a call. `None`: the charge is not refunded yet.
fn result_by_call(answer: ChargeAnswer) -> Option<RefundAnswer> {
    match answer {
        CallOutcome::Answered(charge) => result_by_state(&charge),
        // Not sent again: an acquirer that lost the charge may also have lost the refund.
        CallOutcome::NotFound => Some(CallOutcome::Rejected(CallFault("charge_unknown"))),
        CallOutcome::Unknown(fault) => Some(CallOutcome::Unknown(fault)),
        CallOutcome::Rejected(fault) => Some(CallOutcome::Rejected(fault)),
    }
}

const ACCEPTED: RefundAnswer = CallOutcome::Answered(RefundResult::Accepted);

/// An acquirer's notices about a charge name no refund.
fn done(charge: &Charge) -> RefundAnswer {
    CallOutcome::Answered(RefundResult::Done {
        known_as: None,
        names: Box::new(charge.return_names.clone()),
    })
}

async fn send_part(acquirer: &dyn Acquirer, part: &ChargePart) -> RefundAnswer {
    match acquirer.refund_part(part).await {
        CallOutcome::Answered(charge) => done(&charge),
        CallOutcome::NotFound => CallOutcome::Rejected(CallFault("charge_unknown")),
        CallOutcome::Unknown(fault) => CallOutcome::Unknown(fault),
        // As for a whole charge, the rejection is final only if the acquirer answers other calls.
        CallOutcome::Rejected(fault) => match acquirer.look_up(&part.key).await {
            CallOutcome::Answered(_) => refused(&format!("Recusado pela adquirente ({})", fault.0)),
            _ => CallOutcome::Rejected(fault),
        },
    }
}

#[async_trait]
impl Refunds for AcquirerRefunds {
    fn name(&self, provider: Provider) -> &'static str {
        provider.slug()
    }

    fn timeout(&self) -> Duration {
        CALLS_MAX * self.call_timeout
    }

    async fn send(&self, request: &RefundRequest) -> Result<RefundAnswer> {
        let Some(acquirer) = self.acquirers.of(request.provider) else {
            return Ok(NOT_CONFIGURED);
        };
        let charge = self.charge_of(request.sale_id).await?;
        if request.of_part {
            let part = ChargePart {
                refund_id: request.refund_id,
                key: charge,
                amount: request.amount,
            };
            return Ok(send_part(acquirer, &part).await);
        }
        let refund = WholeCharge {
            key: charge.clone(),
            amount: request.amount,
        };
        let answer = acquirer.refund(&refund).await;
        let CallOutcome::Rejected(fault) = answer else {
            return Ok(result_by_call(answer).unwrap_or(ACCEPTED));
        };
        // A rejection is final if the acquirer still has the payment. An acquirer that rejects every call answers the
        // look-up in the same way.
        Ok(match acquirer.look_up(&charge).await {
            CallOutcome::Answered(charge) => result_by_state(&charge)
                .unwrap_or_else(|| refused(&format!("Recusado pela adquirente ({})", fault.0))),
            _ => CallOutcome::Rejected(fault),
        })
    }

    /// A charge that is not refunded proves that nothing was requested, unless the acquirer accepted the request: it is
    /// then still working on it.
    async fn look_up(&self, request: &RefundRequest, accepted: bool) -> Result<RefundAnswer> {
        let Some(acquirer) = self.acquirers.of(request.provider) else {
            return Ok(NOT_CONFIGURED);
        };
        if request.of_part && acquirer.repeats_part_refunds() {
            return Ok(CallOutcome::NotFound);
        }
        if request.of_part {
            return Ok(refused(
                "A adquirente não respondeu, e o pedido não pode ser repetido. Confira na adquirente se o estorno foi feito",
            ));
        }
        let charge = self.charge_of(request.sale_id).await?;
        let answer = result_by_call(acquirer.look_up(&charge).await);
        Ok(answer.unwrap_or(if accepted { ACCEPTED } else { CallOutcome::NotFound }))
    }
}
