//! Whether a part of a sale can go back to the buyer, by the rules of PIX and by the contract of the acquirer.

use chrono::TimeDelta;
use ledger_domain::SaleId;
use ledger_domain::business::Sale;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::PaymentType;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::acquirers::Acquirers;

/// The receiver of a PIX can return it within 90 days (Resolução BCB 1/2020, Regulamento do Pix).
const PIX_RETURNED_WITHIN: TimeDelta = TimeDelta::days(90);

/// Why no part of the sale can go back, for users; `None` if one can. The acquirers of sales that the platform did not
/// charge are asked by staff or by a service, so there is no contract to check.
pub async fn part_refusal(
    client: &impl GenericClient,
    acquirers: &Acquirers,
    (sale_id, sale): (SaleId, &Sale),
    now: Instant,
) -> Result<Option<String>, Error> {
    let payment = sale.payment_type;
    let is_late = |captured_at| now - captured_at > PIX_RETURNED_WITHIN;
    if payment == PaymentType::Pix && sale.captured_at.is_some_and(is_late) {
        return Ok(Some(
            "O PIX desta venda tem mais de 90 dias: não é mais possível estornar uma parte.".to_owned(),
        ));
    }
    let charged = "SELECT FROM order_attempt WHERE sale_id = $1";
    if client
        .query_typed_opt(charged, &[(&sale_id.uuid(), Type::UUID)])
        .await?
        .is_none()
    {
        return Ok(None);
    }
    Ok(match acquirers.of(sale.provider) {
        Some(acquirer) if acquirer.part_refunds().contains(&payment) => None,
        Some(_) => Some(format!(
            "A adquirente {} não estorna uma parte de vendas por {}: só é possível cancelar a venda inteira.",
            sale.provider.label(),
            payment.label()
        )),
        None => Some(format!(
            "A adquirente {} não está conectada: só é possível cancelar a venda inteira.",
            sale.provider.label()
        )),
    })
}
