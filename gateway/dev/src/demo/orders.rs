//! Writes the story's orders: past orders as they ended, and open orders, which the order worker then charges at the
//! sandbox.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};
use deadpool_postgres::Pool;
use futures::future::try_join_all;
use futures::{StreamExt, TryStreamExt, stream};
use gateway_acquirers::charge::{CardToken, Charge, ChargedCard};
use gateway_acquirers::names::ReportedNames;
use gateway_formats::short_code::OrderReference;
use gateway_platform::links::{PaymentLink, link_fetch, link_use_take};
use gateway_platform::orders::{
    AttemptEnd, NewAttempt, NewCard, NewOrder, PastEnd, RequestHashes, attempt_add, attempt_end_past,
    attempt_term, order_add, order_expire_past, order_use_release_past,
};
use ledger_domain::calendar::{Calendar, business_date};
use ledger_domain::sale::{CardBrand, PaymentType};
use ledger_domain::{Cents, PaymentLinkId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::back_office::PANEL_URL;
use super::buyers::buyer_of;
use super::link_sales::{LinkOrder, route};
use super::loader::DemoError;
use super::rng::DemoRng;
use super::story::Story;
use super::trade::Sale;
use crate::sandbox::{PastCharge, PastMethod};

/// Orders that are written concurrently on one connection. Their statements are pipelined.
const CONCURRENT_ORDERS: usize = 16;

/// Adds the orders that do not exist yet.
pub(super) async fn install_orders(
    pool: &Pool,
    story: &Story,
    orders: &[LinkOrder],
    until: DateTime<Utc>,
) -> Result<(), DemoError> {
    let client = pool.get().await?;
    let known = order_ids(&**client).await?;
    let mut links = HashMap::new();
    for link in &story.links {
        if let Some(fetched) = link_fetch(&**client, link.id()).await? {
            links.insert(link.code.as_str(), fetched);
        }
    }
    drop(client);
    let mut by_link: BTreeMap<&str, Vec<&LinkOrder>> = BTreeMap::new();
    for order in orders {
        if !known.contains(&Story::order_id(&order.name)) {
            by_link.entry(order.link_code()).or_default().push(order);
        }
    }
    // One transaction for each link, because each order locks the row of its link.
    let writing = by_link.into_iter().filter_map(|(code, orders)| {
        let link = links.get(code)?;
        Some(async move {
            let mut client = pool.get().await?;
            let tx = client.transaction().await?;
            stream::iter(orders)
                .map(|order| install_order(&*tx, link, order, until))
                .buffer_unordered(CONCURRENT_ORDERS)
                .try_collect::<()>()
                .await?;
            Ok::<(), DemoError>(tx.commit().await?)
        })
    });
    try_join_all(writing).await.map(drop)
}

async fn order_ids(client: &impl GenericClient) -> Result<HashSet<Uuid>, Error> {
    let rows = client.query_typed("SELECT id FROM link_order", &[]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

async fn install_order(
    client: &impl GenericClient,
    link: &PaymentLink,
    order: &LinkOrder,
    until: DateTime<Utc>,
) -> Result<(), Error> {
    let (Some(first), Some(last)) = (order.attempts.first(), order.attempts.last()) else {
        return Ok(());
    };
    let by_boleto = |attempt: &Sale| attempt.payment_type() == PaymentType::Boleto;
    let expired_at = order.expired_at(until);
    let gave_use_back = expired_at.is_none() && !order.holds_use(until);
    if expired_at.is_none() && !gave_use_back {
        // Asked as of the link's creation, because the link may have expired since.
        link_use_take(client, link.id, business_date(link.created_at)).await?;
    }
    let new = NewOrder {
        id: Story::order_id(&order.name),
        reference: &reference_of(&order.name),
        link,
        amount: Cents::new(last.facts.amount),
        panel_url: PANEL_URL,
        request: RequestHashes {
            key: hash(&order.name, "key"),
            body: hash(&order.name, "body"),
        },
        buyer: &buyer_of(&order.name, order.attempts.iter().any(by_boleto)),
        created_at: first.opened_at,
    };
    order_add(client, &new).await?;
    if gave_use_back {
        order_use_release_past(client, new.id).await?;
    }
    for sale in &order.attempts {
        install_attempt(client, new.id, link, sale).await?;
        for (number, past) in (0..).zip(sale.ends(until)) {
            // A second end is a payment after the expiry of the order.
            if let (1, Some(at)) = (number, expired_at) {
                order_expire_past(client, new.id, at).await?;
            }
            let charge = charge_of(sale, past.end, past.at);
            let past = PastEnd {
                end: past.end,
                at: past.at,
                charge: &charge,
            };
            attempt_end_past(client, sale_id_of(sale), &past).await?;
        }
    }
    match expired_at {
        Some(at) => order_expire_past(client, new.id, at).await,
        None => Ok(()),
    }
}

async fn install_attempt(
    client: &impl GenericClient,
    order_id: Uuid,
    link: &PaymentLink,
    sale: &Sale,
) -> Result<(), Error> {
    let facts = &sale.facts;
    let payment_type = sale.payment_type();
    let card = card_of(sale).map(|(brand, last_four)| NewCard {
        token: CardToken(format!("tok_{brand}_{last_four}_{}", hex_id(&sale.name))),
        told_brand: Some(brand.clone()),
        brand,
        last_four,
        installments: facts.installments,
    });
    let route = route(&sale.company, payment_type);
    let attempt = NewAttempt {
        sale_id: sale_id_of(sale),
        order_id,
        business_id: link.company.id,
        provider: route[0],
        fallback: &route[1..],
        payment_type,
        total: Cents::new(facts.amount),
        card,
        request: None,
        ordered_at: sale.opened_at,
        calendar: &Calendar::default(),
    };
    attempt_add(client, &attempt).await
}

/// Writes how often the pages of the links were opened: one to three times for each order.
pub(super) async fn install_openings(
    client: &impl GenericClient,
    story: &Story,
    orders: &[LinkOrder],
) -> Result<(), Error> {
    let mut opened: BTreeMap<(PaymentLinkId, _), i64> = BTreeMap::new();
    for order in orders {
        let link = story.links.iter().find(|link| link.code == order.link_code());
        if let (Some(link), Some(first)) = (link, order.attempts.first()) {
            let more = DemoRng::seeded_by(&format!("{}/opened", order.name)).between(0, 2);
            *opened
                .entry((link.id(), business_date(first.opened_at)))
                .or_default() += 1 + more;
        }
    }
    let (links, rest): (Vec<_>, Vec<_>) = opened
        .into_iter()
        .map(|((link, day), count)| (link.uuid(), (day, count)))
        .unzip();
    let (days, counts): (Vec<_>, Vec<_>) = rest.into_iter().unzip();
    client
        .execute_typed(
            "INSERT INTO payment_link_opening (link_id, business_date, opened)
             SELECT * FROM unnest($1, $2, $3) ON CONFLICT DO NOTHING",
            &[
                (&links, Type::UUID_ARRAY),
                (&days, Type::DATE_ARRAY),
                (&counts, Type::INT8_ARRAY),
            ],
        )
        .await
        .map(drop)
}

/// The sandbox's charges of the attempts that have ended.
pub(super) fn past_charges(orders: &[LinkOrder], until: DateTime<Utc>) -> Vec<PastCharge> {
    let attempts = orders.iter().flat_map(|order| &order.attempts);
    let ended = attempts.filter(|attempt| !attempt.ends(until).is_empty());
    ended.map(|attempt| past_charge(attempt, until)).collect()
}

fn past_charge(sale: &Sale, until: DateTime<Utc>) -> PastCharge {
    let payment_type = sale.payment_type();
    let (due_on, expires_at) = attempt_term(payment_type, sale.opened_at, &Calendar::default());
    let payment_method = match (card_of(sale), due_on) {
        (Some((brand, last_four)), _) => PastMethod::Card {
            brand,
            last_four,
            installments: sale.facts.installments,
        },
        (None, Some(due_on)) => PastMethod::Boleto { due_on },
        (None, None) => PastMethod::Pix { expires_at },
    };
    let (state, at) = sale.charge_state(until);
    let paid = sale
        .ends(until)
        .into_iter()
        .find(|end| end.end == AttemptEnd::Paid);
    PastCharge {
        id: hex_id(&sale.name),
        provider: sale.provider,
        sale_id: sale_id_of(sale),
        amount: Cents::new(sale.facts.amount),
        payment_method,
        state,
        at,
        created_at: sale.opened_at,
        paid_at: paid.map(|end| end.at),
    }
}

/// The acquirer's answer when the attempt ended.
fn charge_of(sale: &Sale, end: AttemptEnd, at: DateTime<Utc>) -> Charge {
    Charge {
        charge_id: hex_id(&sale.name),
        state: sale.charge_state(at).0,
        status: sale.charge_state(at).0.as_str().to_owned(),
        amount: Some(Cents::new(sale.facts.amount)),
        refunded: None,
        next_action: None,
        card: (end == AttemptEnd::Paid)
            .then(|| card_of(sale))
            .flatten()
            .map(|(brand, last_four)| ChargedCard {
                brand: Some(brand),
                last_four: Some(last_four),
                authorization_code: sale.facts.authorization_code.clone(),
            }),
        names: match end {
            AttemptEnd::Paid => ReportedNames {
                acquirer_id: None,
                ..sale.names("sale.captured", at)
            },
            _ => ReportedNames::default(),
        },
        return_names: ReportedNames::default(),
        at: Some(at),
    }
}

fn card_of(sale: &Sale) -> Option<(CardBrand, String)> {
    let brand = sale.facts.card_brand.as_deref()?;
    Some((CardBrand::parse(brand).ok()?, sale.facts.card_last_four.clone()?))
}

fn sale_id_of(sale: &Sale) -> ledger_domain::SaleId {
    Story::sale_id(&sale.name)
}

/// The acquirer's id of the charge.
fn hex_id(name: &str) -> String {
    Story::charge_id(name).simple().to_string()
}

/// The reference in the addresses of the buyer's pages. Real references are random; these are derived from the name.
pub(super) fn reference_of(order: &str) -> OrderReference {
    let mut bytes = [0; OrderReference::LENGTH];
    bytes.copy_from_slice(&hash(order, "reference")[..OrderReference::LENGTH]);
    OrderReference::from_random(bytes)
}

fn hash(order: &str, of: &str) -> [u8; 32] {
    use sha2::{Digest, Sha256};
    Sha256::digest(format!("{order}/{of}")).into()
}
