//! An attempt to pay an order, as the worker and look-ups read it.

use gateway_acquirers::charge::{CardToken, ChargeKey};
use gateway_outbox::{End, Unreadable};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::order::AttemptStatus;
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use ledger_domain::{BusinessId, Cents, SaleId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::outboxes::ORDER_ATTEMPTS;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Also the acquirer's idempotency key or reference.
    pub sale_id: SaleId,
    pub order_id: Uuid,
    pub business_id: BusinessId,
    pub provider: Provider,
    pub payment_type: PaymentType,
    pub installments: u8,
    pub total: Cents,
    /// The brand that the buyer's browser derived from the card number.
    pub card_brand: Option<CardBrand>,
    pub card_last_four: Option<String>,
    pub card_token: Option<CardToken>,
    pub ordered_at: Instant,
    pub expires_at: Instant,
    pub due_on: Option<Date>,
    pub charge_id: Option<String>,
    /// Whether the worker must cancel it at the acquirer.
    pub cancel_asked: bool,
}

ledger_domain::words! {
    /// How an attempt ends.
    pub enum AttemptEnd {
        Paid = "paid",
        Declined = "declined",
        Expired = "expired",
        Canceled = "canceled",
        /// Not paid, through no fault of the buyer: for example, the acquirer rejected the charge.
        Failed = "failed",
    }
}

impl From<AttemptEnd> for AttemptStatus {
    fn from(end: AttemptEnd) -> Self {
        match end {
            AttemptEnd::Paid => Self::Paid,
            AttemptEnd::Declined => Self::Declined,
            AttemptEnd::Expired => Self::Expired,
            AttemptEnd::Canceled => Self::Canceled,
            AttemptEnd::Failed => Self::Failed,
        }
    }
}

impl End for AttemptEnd {
    fn status(&self) -> &'static str {
        self.as_str()
    }
}

impl Attempt {
    /// Reads a row with the columns of the outbox. A newer version of the program may know more providers.
    pub(super) fn read(id: Uuid, row: &Row) -> Result<Self, Unreadable> {
        let business_id: Uuid = row.get("business_id");
        let unreadable = |column| Unreadable {
            column,
            business_id: Some(business_id),
        };
        let provider = u8::try_from(row.get::<_, i16>("provider")).ok();
        let provider = provider.and_then(|number| Provider::from_number(number).ok());
        let card_brand = row.get::<_, Option<&str>>("card_brand");
        let card_brand = card_brand.map(CardBrand::parse).transpose();
        let installments = u8::try_from(row.get::<_, i16>("installments"));
        Ok(Self {
            sale_id: SaleId::from_uuid(id),
            order_id: row.get("order_id"),
            business_id: BusinessId::from_uuid(business_id),
            provider: provider.ok_or_else(|| unreadable("provider"))?,
            payment_type: PaymentType::parse(row.get("payment_type"))
                .map_err(|_| unreadable("payment_type"))?,
            installments: installments.map_err(|_| unreadable("installments"))?,
            total: Cents::new(row.get("total")),
            card_brand: card_brand.map_err(|_| unreadable("card_brand"))?,
            card_last_four: row.get("card_last_four"),
            card_token: row.get::<_, Option<String>>("card_token").map(CardToken),
            ordered_at: row.get("ordered_at"),
            expires_at: row.get("expires_at"),
            due_on: row.get("due_on"),
            charge_id: row.get("acquirer_id"),
            cancel_asked: row.get::<_, Option<Instant>>("cancel_asked_at").is_some(),
        })
    }

    pub fn charge_key(&self) -> ChargeKey {
        ChargeKey {
            sale_id: self.sale_id,
            charge_id: self.charge_id.clone(),
        }
    }

    /// Whether a charge that its acquirer calls canceled may have been declined: Iugu's look-up shows a declined card
    /// as canceled. A charge whose cancel was requested counts as canceled.
    pub(super) const fn may_be_declined(&self) -> bool {
        matches!(self.payment_type, PaymentType::Credit) && !self.cancel_asked
    }

    pub async fn fetch(client: &impl GenericClient, sale_id: SaleId) -> Result<Option<Self>, Error> {
        fetch(client, "sale_id = $1", &[(&sale_id.uuid(), Type::UUID)]).await
    }

    /// The attempt whose charge has this id at the acquirer.
    pub async fn of_charge(
        client: &impl GenericClient,
        provider: Provider,
        charge_id: &str,
    ) -> Result<Option<Self>, Error> {
        let number = i16::from(provider.number());
        fetch(
            client,
            "provider = $1 AND acquirer_id = $2",
            &[(&number, Type::INT2), (&charge_id, Type::TEXT)],
        )
        .await
    }
}

/// Requests the cancel of the open attempts that match `condition`, which has the parameter `$2`. Returns their number.
///
/// The worker cancels each charge at its acquirer and looks it up: at once if the acquirer has it, else on the next
/// try. An attempt that was never sent is not charged any more. Unpaid attempts end as `end`, unless another end is
/// known already. The time is the database's, as for all outboxes.
pub(super) async fn request_cancel(
    client: &impl GenericClient,
    end: AttemptEnd,
    condition: &str,
    parameter: (&(dyn ToSql + Sync), Type),
) -> Result<u64, Error> {
    let sql = format!(
        "UPDATE order_attempt
            SET cancel_asked_at = now(), ends_as = coalesce(ends_as, $1),
                next_try_at = CASE status WHEN 'sent' THEN now() ELSE next_try_at END
          WHERE ended_at IS NULL AND cancel_asked_at IS NULL AND {condition}"
    );
    client
        .execute_typed(&sql, &[(&end.as_str(), Type::TEXT), parameter])
        .await
}

async fn fetch(
    client: &impl GenericClient,
    condition: &str,
    parameters: &[(&(dyn ToSql + Sync), Type)],
) -> Result<Option<Attempt>, Error> {
    let sql = format!(
        "SELECT sale_id, {} FROM order_attempt WHERE {condition}",
        ORDER_ATTEMPTS.columns
    );
    let row = client.query_typed_opt(&sql, parameters).await?;
    // An unreadable row counts as absent. The worker that claims it adds it to the exceptions queue.
    Ok(row.and_then(|row| Attempt::read(row.get("sale_id"), &row).ok()))
}
