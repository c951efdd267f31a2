//! The sandbox's acquirer for refunds: it takes requests under an idempotency key, and reports refunds in signed
//! notices. The cents of the sale's amount select a failure to simulate.
//!
//! It keeps its state in memory, and does not check that a sale exists.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use chrono::{DateTime, Utc};
use gateway_acquirers::names::ReportedNames;
use gateway_environment::clock::BusinessClock;
use gateway_platform::providers::refunds::RefundRequest;
use gateway_platform::providers::{CanonicalNotice, CanonicalSaleReference};
use ledger_domain::Cents;
use ledger_domain::ids::RefundId;
use ledger_store::supervisor::spawn_once;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::delivery::{Deliveries, OutgoingNotice};
use super::names;
use super::server::{Refused, hang, refused};

const REASON: &str = "Prazo para estorno encerrado";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundBehavior {
    Refunds,
    Refuses,
    TimesOutAndRefunds,
    BreaksAndRefunds,
    LostOnce,
    NoticeTwice,
    RefusesOnce,
    RefundsLater,
}

impl RefundBehavior {
    /// The rules by the last two digits of the sale's amount. All other amounts are refunded at once. The digits differ
    /// from those of the bank's rules, and prices rarely end in them.
    pub const RULES: [(i64, Self, &'static str); 7] = [
        (11, Self::Refuses, "refused, every time"),
        (
            12,
            Self::TimesOutAndRefunds,
            "the call times out, it is refunded, and no notice is sent",
        ),
        (
            13,
            Self::BreaksAndRefunds,
            "the call fails with a 500, and it is refunded",
        ),
        (
            14,
            Self::LostOnce,
            "the call times out and the request is lost; sent again, it is refunded",
        ),
        (16, Self::NoticeTwice, "refunded, and the notice is sent twice"),
        (
            17,
            Self::RefusesOnce,
            "refused; a later request for the same sale is refunded",
        ),
        (18, Self::RefundsLater, "accepted, and refunded a moment later"),
    ];

    pub fn of_amount(amount: Cents) -> Self {
        let cents = amount.get().rem_euclid(100);
        Self::RULES
            .iter()
            .find(|(rule, ..)| *rule == cents)
            .map_or(Self::Refunds, |(_, behavior, _)| *behavior)
    }

    /// How many notices a completed refund sends.
    const fn notices(self) -> usize {
        match self {
            Self::TimesOutAndRefunds => 0,
            Self::NoticeTwice => 2,
            Self::Refunds
            | Self::Refuses
            | Self::BreaksAndRefunds
            | Self::LostOnce
            | Self::RefusesOnce
            | Self::RefundsLater => 1,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    Pending,
    Done,
    Refused,
}

/// The state of a request.
#[derive(Debug, Clone, Serialize)]
pub struct Refund {
    #[serde(flatten)]
    pub request: RefundRequest,
    pub status: RefundStatus,
    pub reason: Option<&'static str>,
    /// The acquirer's own id, which its notices have.
    pub acquirer_id: String,
    /// It does not know how the sale was paid, so its refunds have an NSU.
    pub names: ReportedNames,
}

#[derive(Clone)]
pub struct Acquirer {
    refunds: Arc<Mutex<Refunds>>,
    deliveries: Deliveries,
    delay: Duration,
    clock: BusinessClock,
}

#[derive(Default)]
struct Refunds {
    /// In the order of arrival.
    accepted: Vec<RefundId>,
    by_id: HashMap<RefundId, Refund>,
    /// Requests that were lost once.
    lost: HashSet<RefundId>,
}

type Answer = Result<(StatusCode, Json<Refund>), Refused>;

impl Acquirer {
    pub fn new(deliveries: Deliveries, delay: Duration, clock: BusinessClock) -> Self {
        Self {
            refunds: Arc::default(),
            deliveries,
            delay,
            clock,
        }
    }

    pub fn router(self) -> Router {
        Router::new()
            .route("/refunds", post(take_request))
            .route("/refunds/{id}", get(find_refund))
            .route("/sandbox/refunds", get(list_refunds))
            .with_state(self)
    }

    fn refunds(&self) -> MutexGuard<'_, Refunds> {
        self.refunds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the notices of a completed refund.
    fn send_notices(&self, refund: &Refund) {
        if refund.status != RefundStatus::Done {
            return;
        }
        let times = RefundBehavior::of_amount(refund.request.amount).notices();
        let (deliveries, provider) = (self.deliveries.clone(), refund.request.provider);
        let outgoing = notice(refund, self.clock.now());
        spawn_once("sandbox notice", async move {
            for _ in 0..times {
                deliveries.deliver(provider, outgoing.clone()).await;
            }
        });
    }

    fn finish_later(&self, refund_id: RefundId) {
        let acquirer = self.clone();
        spawn_once("sandbox refund", async move {
            tokio::time::sleep(acquirer.delay).await;
            let finished = acquirer.refunds().by_id.get_mut(&refund_id).map(|refund| {
                refund.status = RefundStatus::Done;
                refund.clone()
            });
            finished.iter().for_each(|refund| acquirer.send_notices(refund));
        });
    }
}

impl Refunds {
    /// Returns whether the request is new, and its refund. Another request under a known key is refused.
    fn take(&mut self, request: RefundRequest, behavior: RefundBehavior) -> Result<(bool, Refund), Refused> {
        if let Some(known) = self.by_id.get(&request.refund_id) {
            if known.request != request {
                return Err(refused(
                    StatusCode::CONFLICT,
                    "the key was used for another request",
                ));
            }
            return Ok((false, known.clone()));
        }
        let earlier = self.by_id.values().any(|refund| {
            refund.request.sale_id == request.sale_id && refund.request.reference == request.reference
        });
        let status = match behavior {
            RefundBehavior::Refuses => RefundStatus::Refused,
            RefundBehavior::RefusesOnce if !earlier => RefundStatus::Refused,
            RefundBehavior::RefundsLater => RefundStatus::Pending,
            RefundBehavior::Refunds
            | RefundBehavior::TimesOutAndRefunds
            | RefundBehavior::BreaksAndRefunds
            | RefundBehavior::LostOnce
            | RefundBehavior::NoticeTwice
            | RefundBehavior::RefusesOnce => RefundStatus::Done,
        };
        let refund = Refund {
            reason: (status == RefundStatus::Refused).then_some(REASON),
            acquirer_id: format!("rf-{}", Uuid::now_v7().simple()),
            names: ReportedNames {
                nsu: Some(names::refund_nsu(&request.refund_id.to_string())),
                ..ReportedNames::default()
            },
            request,
            status,
        };
        self.accepted.push(refund.request.refund_id);
        self.by_id.insert(refund.request.refund_id, refund.clone());
        Ok((true, refund))
    }
}

async fn take_request(
    State(acquirer): State<Acquirer>,
    headers: HeaderMap,
    Json(request): Json<RefundRequest>,
) -> Answer {
    let refund_id = request.refund_id;
    let key = headers
        .get("idempotency-key")
        .and_then(|value| value.to_str().ok());
    if key.and_then(|key| key.parse().ok()) != Some(refund_id) {
        let message = "Idempotency-Key: the refund's id";
        return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, message));
    }
    let behavior = RefundBehavior::of_amount(request.amount);
    if behavior == RefundBehavior::LostOnce && acquirer.refunds().lost.insert(refund_id) {
        return Err(hang().await);
    }
    let accepted = acquirer.refunds().take(request, behavior);
    let (new, refund) = accepted?;
    if !new {
        return Ok((StatusCode::OK, Json(refund)));
    }
    acquirer.send_notices(&refund);
    match behavior {
        RefundBehavior::TimesOutAndRefunds => Err(hang().await),
        RefundBehavior::BreaksAndRefunds => {
            Err(refused(StatusCode::INTERNAL_SERVER_ERROR, "broken on purpose"))
        }
        RefundBehavior::RefundsLater => {
            acquirer.finish_later(refund_id);
            Ok((StatusCode::CREATED, Json(refund)))
        }
        RefundBehavior::Refunds
        | RefundBehavior::Refuses
        | RefundBehavior::LostOnce
        | RefundBehavior::NoticeTwice
        | RefundBehavior::RefusesOnce => Ok((StatusCode::CREATED, Json(refund))),
    }
}

async fn find_refund(
    State(acquirer): State<Acquirer>,
    Path(id): Path<RefundId>,
) -> Result<Json<Refund>, Refused> {
    let found = acquirer.refunds().by_id.get(&id).cloned();
    found
        .map(Json)
        .ok_or_else(|| refused(StatusCode::NOT_FOUND, "no such refund"))
}

/// Lists all refunds, the oldest first.
async fn list_refunds(State(acquirer): State<Acquirer>) -> Json<Value> {
    let listed = acquirer.refunds();
    let refunds: Vec<_> = listed
        .accepted
        .iter()
        .filter_map(|id| listed.by_id.get(id))
        .collect();
    Json(serde_json::to_value(refunds).expect("refunds serialize"))
}

fn notice(refund: &Refund, occurred_at: DateTime<Utc>) -> OutgoingNotice {
    let request = &refund.request;
    let notice = CanonicalNotice {
        id: format!("evt-{}", Uuid::now_v7().simple()),
        r#type: "sale.refunded",
        occurred_at,
        data: CanonicalSaleReference {
            business_id: Some(request.business_id.to_string()),
            external_id: request.external_id.clone(),
            sale_id: Some(request.sale_id.to_string()),
            amount: Some(request.amount.get()),
            reason: None,
            dispute_id: None,
            refund_id: Some(refund.acquirer_id.clone()),
            names: refund.names.clone(),
        },
    };
    OutgoingNotice::about(&notice, request.external_id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::bank::PayoutBehavior;

    #[test]
    fn the_cents_alone_select_the_behavior_and_differ_from_the_banks() {
        assert_eq!(
            RefundBehavior::of_amount(Cents::new(123_45)),
            RefundBehavior::Refunds
        );
        for (cents, behavior, _) in RefundBehavior::RULES {
            let amount = Cents::new(700_00 + cents);
            assert_eq!(RefundBehavior::of_amount(amount), behavior);
            assert_eq!(PayoutBehavior::of_amount(amount), PayoutBehavior::Pays);
        }
    }
}
