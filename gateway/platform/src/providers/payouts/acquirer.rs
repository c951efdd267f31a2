//! Payouts through an acquirer, out of our account there. The acquirer needs the receiver's name and document, which
//! are read from the company's row.

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::Pool;
use gateway_acquirers::payout::{OutgoingPayment, Receiver};
use gateway_acquirers::port::Acquirer;
use gateway_environment::config::PayoutProvider;
use ledger_domain::{BusinessId, PayoutId};
use ledger_rows::get;
use tokio_postgres::types::Type;

use super::{PayoutAnswer, PayoutOrder, Payouts};
use crate::acquirers::Acquirers;
use crate::error::Result;
use crate::providers::calls::{CallFault, CallOutcome};

pub struct AcquirerPayouts {
    pub pool: Pool,
    pub acquirers: Arc<Acquirers>,
    /// The payout provider, which is an acquirer too.
    pub provider: PayoutProvider,
}

/// The acquirer is not configured, or makes no payouts.
const NOT_OFFERED: PayoutAnswer = CallOutcome::Rejected(CallFault("not_offered"));

impl AcquirerPayouts {
    fn acquirer(&self) -> Option<&dyn Acquirer> {
        self.acquirers.of(self.provider.acquirer()?)
    }

    /// The company by its legal name. `None` if it is unknown.
    async fn receiver(&self, business_id: BusinessId) -> Result<Option<Receiver>> {
        let client = self.pool.get().await?;
        let row = client
            .query_typed_opt(
                "SELECT name, document FROM business WHERE id = $1",
                &[(&business_id.uuid(), Type::UUID)],
            )
            .await?;
        let receiver = row.map(|row| -> Result<Receiver> {
            Ok(Receiver {
                name: row.get(0),
                document: get(&row, 1)?,
            })
        });
        receiver.transpose()
    }
}

#[async_trait]
impl Payouts for AcquirerPayouts {
    fn provider(&self) -> PayoutProvider {
        self.provider
    }

    async fn send(&self, order: &PayoutOrder) -> PayoutAnswer {
        let Some(acquirer) = self.acquirer() else {
            return NOT_OFFERED;
        };
        let receiver = match self.receiver(order.business_id).await {
            Ok(Some(receiver)) => receiver,
            Ok(None) => return CallOutcome::Rejected(CallFault("no_receiver")),
            Err(error) => {
                tracing::error!(%error, payout_id = %order.payout_id, "the receiver of a payout cannot be read");
                return CallOutcome::Unknown(CallFault("receiver_unreadable"));
            }
        };
        let payment = OutgoingPayment {
            payout_id: order.payout_id,
            amount: order.amount,
            receiver,
            destination: order.destination.clone(),
        };
        acquirer.pay_out(&payment).await.unwrap_or(NOT_OFFERED)
    }

    async fn look_up(&self, payout_id: PayoutId) -> PayoutAnswer {
        let Some(acquirer) = self.acquirer() else {
            return NOT_OFFERED;
        };
        acquirer.look_up_payout(payout_id).await.unwrap_or(NOT_OFFERED)
    }
}
