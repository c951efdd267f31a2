//! A stream of random sales at the sandbox for demonstrations, at a steady pace. Some are declined. Some are refunded,
//! reversed or disputed later, and many notices of those are repeated or out of order.

use std::time::Duration;

use gateway_environment::clock::BusinessClock;
use ledger_domain::sale::PaymentType;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::Deserialize;

use super::delivery::Deliveries;
use super::facts::ReversalNotice;
use super::sales::SaleRequest;

/// Where a sale of the stream is made.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    pub terminal: Option<String>,
    pub business_id: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamRequest {
    pub count: u32,
    #[serde(default = "per_minute")]
    pub per_minute: u32,
    /// The sandbox's targets if empty.
    #[serde(default)]
    pub targets: Vec<Target>,
    #[serde(default)]
    pub seed: u64,
}

const fn per_minute() -> u32 {
    60
}

pub const COUNT_MAX: u32 = 10_000;
pub const PER_MINUTE_MAX: u32 = 6_000;

/// The possible later events of a sale.
const AFTERWARDS: [&[ReversalNotice]; 6] = [
    &[ReversalNotice::Refunded],
    &[ReversalNotice::Reversed],
    &[ReversalNotice::DisputeOpened],
    &[ReversalNotice::DisputeOpened, ReversalNotice::DisputeWon],
    &[ReversalNotice::DisputeOpened, ReversalNotice::DisputeLost],
    &[ReversalNotice::DisputeOpened, ReversalNotice::Refunded],
];

/// Sends `count` sales to random targets, or without end for `None`. Without targets it sends none.
pub async fn run(
    deliveries: Deliveries,
    targets: Vec<Target>,
    clock: BusinessClock,
    per_minute: u32,
    count: Option<u32>,
    seed: u64,
) {
    if targets.is_empty() {
        return;
    }
    let mut rng = StdRng::seed_from_u64(seed);
    let mut timing = tokio::time::interval(Duration::from_secs(60) / per_minute.clamp(1, PER_MINUTE_MAX));
    let mut sent = 0;
    while count.is_none_or(|count| sent < count) {
        timing.tick().await;
        let request = random_sale(&mut rng, &targets);
        let (_, notices) = request.decide(clock.now());
        deliveries.send(request.provider, notices);
        sent += 1;
    }
}

fn random_sale(rng: &mut StdRng, targets: &[Target]) -> SaleRequest {
    let target = &targets[rng.random_range(0..targets.len())];
    let mut request = SaleRequest::at_terminal("", rng.random_range(500..60_000));
    request.terminal.clone_from(&target.terminal);
    request.business_id.clone_from(&target.business_id);
    request.delay_ms = rng.random_range(200..2_000);
    request.payment_type = match rng.random_range(0..10) {
        0..=4 => PaymentType::Credit,
        5..=7 => PaymentType::Debit,
        _ => PaymentType::Pix,
    };
    if request.payment_type == PaymentType::Credit && request.amount > 10_000 {
        request.installments = rng.random_range(1..=6);
    }
    request.brand = Some(["visa", "mastercard", "elo"][rng.random_range(0..3)].to_owned());
    let declined = request.payment_type.is_card() && rng.random_range(0..12) == 0;
    request.last_four = Some(if declined {
        "9995".to_owned()
    } else {
        format!("{:04}", rng.random_range(1_000..9_990))
    });
    if !declined && rng.random_range(0..10) == 0 {
        request.then = AFTERWARDS[rng.random_range(0..AFTERWARDS.len())].to_vec();
        request.duplicates = rng.random_range(0..=1);
        request.out_of_order = rng.random();
    }
    request
}
