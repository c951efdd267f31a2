//! Names of payments that a provider reported in another form than the ledger's. What the notice reports is recorded
//! without them; staff see them here, so that none is lost.

use gateway_acquirers::names::UnreadableName;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use serde_json::json;
use tokio_postgres::{Error, GenericClient};

use super::by_hand::{self, ManualException};
use crate::providers::mask_card_numbers;

/// `report` identifies what was reported: a repeated report of it adds no second exception.
pub async fn add(
    client: &impl GenericClient,
    provider: Provider,
    report: &str,
    (business_id, sale_id): (Option<BusinessId>, Option<SaleId>),
    names: &[UnreadableName],
) -> Result<(), Error> {
    if names.is_empty() {
        return Ok(());
    }
    let shown = |name: &UnreadableName| format!("{}: {}", name.field, mask_card_numbers(&name.value));
    let text = names.iter().map(shown).collect::<Vec<_>>().join("; ");
    let new = ManualException {
        provider,
        kind: "payment.name_unreadable",
        reason: "payment_name_unreadable",
        subject: report,
        parameters: json!({ "names": text }),
        business_id,
        sale_id,
    };
    by_hand::add(client, &new).await.map(drop)
}
