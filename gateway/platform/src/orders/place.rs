//! Adds orders and attempts, finds those of an idempotency key, locks an order, and requests the cancel of its open
//! attempt: all in the caller's transaction. The caller has checked the link, the price and the buyer.

use gateway_acquirers::charge::{Buyer, BuyerAddress, CardToken};
use gateway_formats::short_code::OrderReference;
use ledger_domain::calendar::{Calendar, Date, Instant, business_date, days_after, start_of};
use ledger_domain::order::{NextAttempt, OrderStatus};
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use ledger_domain::{BusinessId, Cents, PaymentLinkId, SaleId};
use ledger_rows::get;
use ledger_store::trace;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::attempt::{AttemptEnd, request_cancel};
use super::{ATTEMPT_LIFE, BOLETO_DUE_BUSINESS_DAYS};
use crate::links::PaymentLink;

/// SHA-256 of the idempotency key, and an HMAC of the body, because the body has the buyer's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestHashes {
    pub key: [u8; 32],
    pub body: [u8; 32],
}

pub struct NewOrder<'a> {
    pub id: Uuid,
    pub reference: &'a OrderReference,
    pub link: &'a PaymentLink,
    /// The link's amount, or the one that the buyer chose.
    pub amount: Cents,
    /// Scheme and host of the page on which the buyer placed it: for the buyer's return and for e-mails.
    pub panel_url: &'a str,
    pub request: RequestHashes,
    pub buyer: &'a Buyer,
    pub created_at: Instant,
}

pub struct NewAttempt<'a> {
    pub sale_id: SaleId,
    pub order_id: Uuid,
    pub business_id: BusinessId,
    pub provider: Provider,
    /// The acquirers to ask next, in this order.
    pub fallback: &'a [Provider],
    pub payment_type: PaymentType,
    pub total: Cents,
    /// Credit only.
    pub card: Option<NewCard>,
    /// `None` for the first attempt, which has the order's.
    pub request: Option<RequestHashes>,
    pub ordered_at: Instant,
    /// For the due date of a boleto.
    pub calendar: &'a Calendar,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCard {
    pub token: CardToken,
    /// The brand that the buyer's browser derived from the card number.
    pub brand: CardBrand,
    /// The brand that the acquirer reads from the token. The total is priced for it.
    pub told_brand: Option<CardBrand>,
    pub last_four: String,
    pub installments: u8,
}

impl NewCard {
    pub fn priced_brand(&self) -> &CardBrand {
        self.told_brand.as_ref().unwrap_or(&self.brand)
    }

    /// The brand that the acquirer tells, if it has other fees than the one that the browser derived.
    pub fn other_brand(&self) -> Option<&CardBrand> {
        let told = self.told_brand.as_ref();
        told.filter(|told| told.priced_as() != self.brand.priced_as())
    }

    /// The word of the column `brand_source`.
    const fn brand_source(&self) -> &'static str {
        match self.told_brand {
            Some(_) => "token",
            None => "buyer",
        }
    }
}

/// An order, locked until the end of the transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedOrder {
    pub id: Uuid,
    pub link_id: PaymentLinkId,
    pub amount: Cents,
    pub status: OrderStatus,
    /// Whether it holds a use of its link.
    pub holds_use: bool,
    pub has_address: bool,
    /// The open attempt that the order has not given up.
    pub open_attempt: Option<OpenAttempt>,
}

impl LockedOrder {
    /// Whether the buyer may try to pay in another way now.
    pub fn next_attempt(&self) -> NextAttempt {
        let open = self.open_attempt.as_ref();
        NextAttempt::of(self.status, open.map(|open| open.can_be_given_up))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAttempt {
    pub sale_id: SaleId,
    /// The buyer has what is needed to pay it, its cancel was not requested yet, and this transaction has locked it.
    pub can_be_given_up: bool,
}

/// An order or an attempt that was placed under an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedUnderKey {
    pub order_id: Uuid,
    /// For an order, true as well if the buyer was erased: then no hash is left to compare. An attempt of an erased
    /// buyer is not found by its key.
    pub same_body: bool,
}

pub async fn order_of_key(
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    request: RequestHashes,
) -> Result<Option<PlacedUnderKey>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT o.id, coalesce(p.request_hash = $3, true)
               FROM link_order o JOIN order_buyer p ON p.order_id = o.id
              WHERE o.link_id = $1 AND o.request_key = $2",
            &[
                (&link_id.uuid(), Type::UUID),
                (&request.key.as_slice(), Type::BYTEA),
                (&request.body.as_slice(), Type::BYTEA),
            ],
        )
        .await?;
    Ok(row.map(|row| PlacedUnderKey {
        order_id: row.get(0),
        same_body: row.get(1),
    }))
}

pub async fn attempt_of_key(
    client: &impl GenericClient,
    order_id: Uuid,
    request: RequestHashes,
) -> Result<Option<PlacedUnderKey>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT request_hash = $3 FROM order_attempt WHERE order_id = $1 AND request_key = $2",
            &[
                (&order_id, Type::UUID),
                (&request.key.as_slice(), Type::BYTEA),
                (&request.body.as_slice(), Type::BYTEA),
            ],
        )
        .await?;
    Ok(row.map(|row| PlacedUnderKey {
        order_id,
        same_body: row.get(0),
    }))
}

/// Adds an order and its buyer. The caller takes the use of the link.
pub async fn order_add(client: &impl GenericClient, new: &NewOrder<'_>) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO link_order (id, reference, link_id, business_id, description, amount, panel_url, request_key,
                                     created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            &[
                (&new.id, Type::UUID),
                (&new.reference.as_str(), Type::TEXT),
                (&new.link.id.uuid(), Type::UUID),
                (&new.link.company.id.uuid(), Type::UUID),
                (&new.link.fields.description, Type::TEXT),
                (&new.amount.get(), Type::INT8),
                (&new.panel_url, Type::TEXT),
                (&new.request.key.as_slice(), Type::BYTEA),
                (&new.created_at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    client
        .execute_typed(
            "INSERT INTO order_buyer (order_id, name, document, email, phone, request_hash)
             VALUES ($1, $2, $3, $4, $5, $6)",
            &[
                (&new.id, Type::UUID),
                (&new.buyer.name, Type::TEXT),
                (&new.buyer.document.unmasked(), Type::TEXT),
                (&new.buyer.email, Type::TEXT),
                (&new.buyer.phone, Type::TEXT),
                (&new.request.body.as_slice(), Type::BYTEA),
            ],
        )
        .await?;
    match &new.buyer.address {
        Some(address) => buyer_address_add(client, new.id, address).await,
        None => Ok(()),
    }
}

/// Adds the address that a boleto needs, unless the buyer was erased.
pub async fn buyer_address_add(
    client: &impl GenericClient,
    order_id: Uuid,
    address: &BuyerAddress,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE order_buyer
                SET postal_code = $2, street = $3, number = $4, complement = $5, district = $6, city = $7, state = $8
              WHERE order_id = $1 AND erased_at IS NULL",
            &[
                (&order_id, Type::UUID),
                (&address.postal_code, Type::TEXT),
                (&address.street, Type::TEXT),
                (&address.number, Type::TEXT),
                (&address.complement, Type::TEXT),
                (&address.district, Type::TEXT),
                (&address.city, Type::TEXT),
                (&address.state, Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

/// Adds the next attempt of an order that has none open, apart from those that it has given up. The order is then no longer idle.
pub async fn attempt_add(client: &impl GenericClient, new: &NewAttempt<'_>) -> Result<(), Error> {
    let provider_number = |provider: &Provider| i16::from(provider.number());
    let fallback: Vec<i16> = new.fallback.iter().map(provider_number).collect();
    let (due_on, expires_at) = attempt_term(new.payment_type, new.ordered_at, new.calendar);
    let card = new.card.as_ref();
    trace::remember(new.sale_id.uuid());
    client
        .execute_typed(
            "INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, fallback, payment_type,
                                        installments, total, card_brand, card_last_four, card_token, request_key,
                                        request_hash, ordered_at, expires_at, due_on, brand_source)
             SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                    $16, $17
               FROM order_attempt WHERE order_id = $2",
            &[
                (&new.sale_id.uuid(), Type::UUID),
                (&new.order_id, Type::UUID),
                (&new.business_id.uuid(), Type::UUID),
                (&provider_number(&new.provider), Type::INT2),
                (&fallback, Type::INT2_ARRAY),
                (&new.payment_type.as_str(), Type::TEXT),
                (&i16::from(card.map_or(1, |card| card.installments)), Type::INT2),
                (&new.total.get(), Type::INT8),
                (&card.map(|card| card.priced_brand().as_str()), Type::TEXT),
                (&card.map(|card| card.last_four.as_str()), Type::TEXT),
                (&card.map(|card| card.token.0.as_str()), Type::TEXT),
                (&new.request.as_ref().map(|request| request.key.as_slice()), Type::BYTEA),
                (&new.request.as_ref().map(|request| request.body.as_slice()), Type::BYTEA),
                (&new.ordered_at, Type::TIMESTAMPTZ),
                (&expires_at, Type::TIMESTAMPTZ),
                (&due_on, Type::DATE),
                (&card.map(NewCard::brand_source), Type::TEXT),
            ],
        )
        .await?;
    client
        .execute_typed(
            "UPDATE link_order SET idle_since = NULL WHERE id = $1",
            &[(&new.order_id, Type::UUID)],
        )
        .await
        .map(drop)
}

/// The due date of a boleto, and until when an attempt can be paid.
pub fn attempt_term(
    payment_type: PaymentType,
    ordered_at: Instant,
    calendar: &Calendar,
) -> (Option<Date>, Instant) {
    if payment_type != PaymentType::Boleto {
        return (None, ordered_at + ATTEMPT_LIFE);
    }
    let due_on = boleto_due(ordered_at, calendar);
    (Some(due_on), boleto_expires_at(due_on, calendar))
}

fn boleto_due(ordered_at: Instant, calendar: &Calendar) -> Date {
    calendar.add_business_days(business_date(ordered_at), BOLETO_DUE_BUSINESS_DAYS)
}

/// The end of the first business day after the due date.
fn boleto_expires_at(due_on: Date, calendar: &Calendar) -> Instant {
    start_of(days_after(calendar.add_business_days(due_on, 1), 1))
}

pub async fn order_lock(
    client: &impl GenericClient,
    reference: &OrderReference,
) -> Result<Option<LockedOrder>, Error> {
    // The attempt first: the worker locks in this order.
    let open = client
        .query_typed_opt(
            "SELECT a.sale_id, a.cancel_asked_at IS NULL
                    AND num_nonnulls(a.pix_code, a.boleto_line, a.challenge_url) > 0
               FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE o.reference = $1 AND a.ended_at IS NULL AND a.given_up_at IS NULL FOR UPDATE OF a",
            &[(&reference.as_str(), Type::TEXT)],
        )
        .await?;
    let row = client
        .query_typed_opt(
            "SELECT o.id, o.link_id, o.amount, o.status, p.street IS NOT NULL, o.holds_use
               FROM link_order o JOIN order_buyer p ON p.order_id = o.id
              WHERE o.reference = $1 FOR UPDATE OF o",
            &[(&reference.as_str(), Type::TEXT)],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let id: Uuid = row.get(0);
    let open_attempt = match open {
        Some(open) => Some(OpenAttempt {
            sale_id: SaleId::from_uuid(open.get(0)),
            can_be_given_up: open.get(1),
        }),
        None => added_before_lock(client, id).await?,
    };
    Ok(Some(LockedOrder {
        id,
        link_id: PaymentLinkId::from_uuid(row.get(1)),
        amount: Cents::new(row.get(2)),
        status: get(&row, 3)?,
        has_address: row.get(4),
        holds_use: row.get(5),
        open_attempt,
    }))
}

/// The attempt that was added before this transaction got the order's lock. Attempts are added under that lock, so this
/// query needs no other. The attempt itself is not locked, so `can_be_given_up` is false.
async fn added_before_lock(
    client: &impl GenericClient,
    order_id: Uuid,
) -> Result<Option<OpenAttempt>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT sale_id FROM order_attempt
              WHERE order_id = $1 AND ended_at IS NULL AND given_up_at IS NULL",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    Ok(row.map(|row| OpenAttempt {
        sale_id: SaleId::from_uuid(row.get(0)),
        can_be_given_up: false,
    }))
}

/// Requests the cancel of an open attempt. Wake the worker after the commit.
pub async fn cancel_request(client: &impl GenericClient, sale_id: SaleId) -> Result<(), Error> {
    let attempt = (&sale_id.uuid() as _, Type::UUID);
    request_cancel(client, AttemptEnd::Canceled, "sale_id = $2", attempt)
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;

    #[test]
    fn a_boleto_is_due_in_three_business_days_and_expires_after_the_next() {
        let (calendar, day) = (Calendar::default(), |day| {
            NaiveDate::from_ymd_opt(2026, 11, day).expect("a date")
        });
        // A Wednesday evening in Brasília. Friday the 20th is a holiday.
        let ordered_at = start_of(day(18)) + chrono::TimeDelta::hours(22);
        let due_on = boleto_due(ordered_at, &calendar);
        assert_eq!(due_on, day(24));
        assert_eq!(boleto_expires_at(due_on, &calendar), start_of(day(26)));
    }
}
