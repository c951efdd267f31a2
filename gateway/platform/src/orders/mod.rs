//! Orders of payment links. An order has attempts to pay it, one after another.
//!
//! Each attempt is a sale. The sale is recorded in the ledger before the acquirer is asked to charge it, and the sale's
//! id is the acquirer's idempotency key. `place` adds orders and attempts. `outbox` charges (`send`) and looks up,
//! `transitions` has the facts that follow from an acquirer's answer, `report` reports them to the ledger, and `charge_facts` keeps an acquirer's answers on the row. `handler` and `ends` copy
//! the ledger's result to the rows. `expiry` ends attempts and orders that were not paid in time. `status` is the order
//! as its buyer sees it, and `changes` notifies pages that follow an order. `past` ends demo orders, whose outcome is
//! known.

mod attempt;
mod boleto;
pub(crate) mod brands;
mod changes;
mod charge_facts;
mod codes;
mod declines;
mod ends;
mod expiry;
mod fact_bodies;
mod handler;
mod names;
mod outbox;
mod past;
mod place;
mod report;
mod send;
mod stats;
mod status;
mod transitions;
mod uses;

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use ledger_store::Writer;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

use self::changes::FollowedOrders;
use crate::acquirers::Acquirers;
use crate::notices::Notices;

pub use attempt::{Attempt, AttemptEnd};
pub use boleto::{BoletoParties, boleto_parties};
pub use brands::brand_source;
pub use changes::{FollowedOrdersJob, OrderChanges};
pub use declines::DeclineText;
pub use expiry::{ExpiryJob, request_cancel_of_expired};
pub use handler::OrderEffects;
pub use outbox::OrderOutbox;
pub use past::{PastEnd, attempt_end_past, order_expire_past, order_use_release_past};
pub use place::{
    LockedOrder, NewAttempt, NewCard, NewOrder, PlacedUnderKey, RequestHashes, attempt_add, attempt_of_key,
    attempt_term, buyer_address_add, cancel_request, order_add, order_lock, order_of_key,
};
pub use report::HintOutcome;
pub use send::order_buyer;
pub use stats::{late_work, queue_stats};
pub use status::{AttemptState, AttemptView, EarlierPix, OrderKey, OrderView, order_view};
pub use uses::{take_over_use, take_use_again, uses_held_until};

/// How long a card, a 3-D Secure challenge or a PIX code can be paid, unless the acquirer states another time.
pub const ATTEMPT_LIFE: Duration = Duration::from_secs(30 * 60);
/// A boleto is due this many business days after its attempt is ordered. It can be paid until the end of the first
/// business day after the due date.
pub const BOLETO_DUE_BUSINESS_DAYS: u16 = 3;
/// How long an unpaid order holds its use of a link, from its latest attempt: as long as a PIX code can be paid. A boleto
/// is paid days later, and one that nobody pays must not close a link of few uses until then.
pub const USE_HOLD: Duration = Duration::from_secs(30 * 60);
/// An order without an open attempt ends after this time.
pub const IDLE_LIFE: Duration = Duration::from_secs(30 * 60);

/// The services that orders use.
pub struct Orders {
    pool: Pool,
    writer: Writer,
    notices: Arc<Notices>,
    acquirers: Arc<Acquirers>,
    clock: BusinessClock,
    /// Wakes the worker.
    woken: Arc<Notify>,
    followed: Arc<FollowedOrders>,
    closed: watch::Sender<bool>,
}

impl Orders {
    pub fn new(
        pool: Pool,
        writer: Writer,
        notices: Arc<Notices>,
        acquirers: Arc<Acquirers>,
        clock: BusinessClock,
    ) -> Arc<Self> {
        Arc::new(Self {
            pool,
            writer,
            notices,
            acquirers,
            clock,
            woken: Arc::new(Notify::new()),
            followed: Arc::default(),
            closed: watch::Sender::new(false),
        })
    }

    /// Call it once a new attempt or a cancel request is committed.
    pub fn wake(&self) {
        self.woken.notify_one();
    }

    /// Ends the streams of order changes: the program stops.
    pub fn close(&self) {
        self.closed.send_replace(true);
    }

    /// Becomes true when the program stops.
    pub fn closed(&self) -> watch::Receiver<bool> {
        self.closed.subscribe()
    }

    fn changed(&self, order_id: Uuid) {
        self.followed.changed(order_id);
    }
}
