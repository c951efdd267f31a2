//! Card testing: a thief tries stolen cards on the page of a link, and most are declined. After some declines a link
//! takes cards slowly; after more its card form is closed for a while, and staff see it.
//!
//! Declines count only if they are at least three of four answers, so that a busy link with few declines is left alone.

use chrono::{DateTime, TimeDelta, Utc};
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, PaymentLinkId, SaleId};
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// The time in which answers count.
const WINDOW: TimeDelta = TimeDelta::minutes(10);
/// The least number of declines in the window at which a link takes cards slowly.
const SLOW_FROM: i64 = 8;
/// The least number of declines in the window that closes the card form.
const CLOSED_FROM: i64 = 20;
/// A slow link takes the next card this long after the last answer.
const SLOW_PAUSE: TimeDelta = TimeDelta::seconds(20);
/// A browser tries its card again after this time, if it was refused because earlier cards have no answer yet.
const ANSWERS_AWAITED: TimeDelta = TimeDelta::seconds(3);
/// The length of a closing if there was none in the day before. Each one in that day doubles it.
const FIRST_CLOSING: TimeDelta = TimeDelta::minutes(30);
/// The longest closing lasts 30 minutes * 2^4 = 8 hours.
const DOUBLINGS_MAX: u32 = 4;
/// Closings count for a day, and answers are kept for one.
const DAY: TimeDelta = TimeDelta::days(1);

/// Whether a link takes a card now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardGate {
    Open,
    /// A browser may try a card again at this instant.
    SlowUntil(Instant),
    ClosedUntil(Instant),
}

impl CardGate {
    /// The seconds until a browser may try a card again; `None` if it may now.
    pub fn wait_seconds(self, now: Instant) -> Option<u64> {
        let until = match self {
            Self::Open => return None,
            Self::SlowUntil(until) | Self::ClosedUntil(until) => until,
        };
        // One more than the whole seconds, so that a browser does not come too early.
        u64::try_from((until - now).num_seconds() + 1).ok()
    }
}

row! {
    /// A closing of a link's card form, for staff.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CardClosure {
        pub id: Uuid = "c.id",
        pub link_id: PaymentLinkId = "l.id",
        pub link_code: String = "l.code",
        pub link_description: String = "l.description",
        pub business_id: BusinessId = "b.id",
        pub business_name: String = "b.name",
        pub declines: i32 = "c.declines",
        pub closed_at: DateTime<Utc> = "c.closed_at",
        pub closed_until: DateTime<Utc> = "c.closed_until",
        pub reopened_at: Option<DateTime<Utc>> = "c.reopened_at",
    }
}

/// The answers that count: those of the window, and since staff reopened the form.
struct Answers {
    declined: i64,
    all: i64,
    last: Option<Instant>,
}

impl Answers {
    /// The answers as if the cards without an answer were declined too.
    const fn with_declined(&self, unanswered: i64) -> Self {
        Self {
            declined: self.declined + unanswered,
            all: self.all + unanswered,
            last: self.last,
        }
    }

    /// Whether at least `declines_min` answers are declines, and at least three of four.
    const fn look_like_testing(&self, declines_min: i64) -> bool {
        self.declined >= declines_min && self.declined * 4 >= self.all * 3
    }
}

/// Call it before a card is charged, in the transaction that adds its attempt. Then cards that come at once are
/// admitted one after another, and each one counts earlier cards without an answer.
pub async fn card_gate(
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    now: Instant,
) -> Result<CardGate, Error> {
    lock_gate(client, link_id).await?;
    if let Some(until) = card_closed_until(client, link_id, now).await? {
        return Ok(CardGate::ClosedUntil(until));
    }
    let answers = answers(client, link_id, now).await?;
    let is_slow = answers.look_like_testing(SLOW_FROM);
    let next = answers
        .last
        .map(|last| last + SLOW_PAUSE)
        .filter(|next| is_slow && *next > now);
    if let Some(next) = next {
        return Ok(CardGate::SlowUntil(next));
    }
    let unanswered = unanswered(client, link_id).await?;
    let would_close = answers.with_declined(unanswered).look_like_testing(CLOSED_FROM);
    Ok(if unanswered > 0 && (is_slow || would_close) {
        CardGate::SlowUntil(now + ANSWERS_AWAITED)
    } else {
        CardGate::Open
    })
}

/// The cards of the link that were sent in the last minute and have no answer. The answer to an older card may be lost,
/// and must not hold up the link. Cards whose buyer is at a 3-D Secure challenge are not among them.
async fn unanswered(client: &impl GenericClient, link_id: PaymentLinkId) -> Result<i64, Error> {
    let row = client
        .query_typed_one(
            "SELECT count(*) FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE o.link_id = $1 AND a.payment_type = 'credit' AND a.ended_at IS NULL AND a.challenge_url IS NULL
                AND a.created_at > now() - interval '1 minute'",
            &[(&link_id.uuid(), Type::UUID)],
        )
        .await?;
    row.try_get(0)
}

/// Lets transactions pass the link's gate one after another. An advisory lock, because the link's row could be in a
/// deadlock: the handler of events may hold it while it waits for an order that the caller has locked.
async fn lock_gate(client: &impl GenericClient, link_id: PaymentLinkId) -> Result<(), Error> {
    client
        .query_typed(
            "SELECT pg_advisory_xact_lock(hashtextextended('card gate ' || $1, 0))",
            &[(&link_id.uuid().to_string(), Type::TEXT)],
        )
        .await
        .map(drop)
}

/// Until when the link takes no cards; `None` if it does.
pub async fn card_closed_until(
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    now: Instant,
) -> Result<Option<Instant>, Error> {
    let row = client
        .query_typed_one(
            "SELECT max(closed_until) FROM card_closure
              WHERE link_id = $1 AND reopened_at IS NULL AND closed_until > $2",
            &[(&link_id.uuid(), Type::UUID), (&now, Type::TIMESTAMPTZ)],
        )
        .await?;
    row.try_get(0)
}

/// An acquirer's answer to a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardAnswer {
    Paid,
    Declined,
}

/// Call it when an acquirer has answered a card, in the transaction that ends the attempt. A repeated call counts once.
/// Returns whether it closed the card form.
pub async fn card_answer_add(
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    sale_id: SaleId,
    answer: CardAnswer,
    now: Instant,
) -> Result<bool, Error> {
    let declined = answer == CardAnswer::Declined;
    let added = client
        .execute_typed(
            "INSERT INTO card_answer (link_id, sale_id, declined, at) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (sale_id) DO NOTHING",
            &[
                (&link_id.uuid(), Type::UUID),
                (&sale_id.uuid(), Type::UUID),
                (&declined, Type::BOOL),
                (&now, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    if added == 0 || !declined {
        return Ok(false);
    }
    let answers = answers(client, link_id, now).await?;
    if !answers.look_like_testing(CLOSED_FROM) {
        return Ok(false);
    }
    close(client, link_id, answers.declined, now).await
}

async fn close(
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    declines: i64,
    now: Instant,
) -> Result<bool, Error> {
    // With the lock, only one of two concurrent declines closes the form.
    client
        .query_typed(
            "SELECT FROM payment_link WHERE id = $1 FOR NO KEY UPDATE",
            &[(&link_id.uuid(), Type::UUID)],
        )
        .await?;
    if card_closed_until(client, link_id, now).await?.is_some() {
        return Ok(false);
    }
    let earlier = client
        .query_typed_one(
            "SELECT count(*) FROM card_closure WHERE link_id = $1 AND closed_at > $2",
            &[(&link_id.uuid(), Type::UUID), (&(now - DAY), Type::TIMESTAMPTZ)],
        )
        .await?;
    let earlier = u32::try_from(earlier.try_get::<_, i64>(0)?).unwrap_or(u32::MAX);
    let until = now + FIRST_CLOSING * (1 << earlier.min(DOUBLINGS_MAX));
    let declines = i32::try_from(declines).unwrap_or(i32::MAX);
    client
        .execute_typed(
            "INSERT INTO card_closure (id, link_id, declines, closed_at, closed_until) VALUES ($1, $2, $3, $4, $5)",
            &[
                (&Uuid::now_v7(), Type::UUID),
                (&link_id.uuid(), Type::UUID),
                (&declines, Type::INT4),
                (&now, Type::TIMESTAMPTZ),
                (&until, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    metrics::counter!("razao_card_forms_closed_total").increment(1);
    tracing::warn!(
        code = "card_testing", link_id = %link_id, declines, %until,
        "the card form of a link is closed: many cards were declined"
    );
    Ok(true)
}

/// Reads the answers that count. `greatest` ignores the null of a link whose form was never reopened.
async fn answers(
    client: &impl GenericClient,
    link_id: PaymentLinkId,
    now: Instant,
) -> Result<Answers, Error> {
    let row = client
        .query_typed_one(
            "SELECT count(*) FILTER (WHERE declined), count(*), max(at) FROM card_answer
              WHERE link_id = $1
                AND at > greatest($2, (SELECT max(reopened_at) FROM card_closure WHERE link_id = $1))",
            &[
                (&link_id.uuid(), Type::UUID),
                (&(now - WINDOW), Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(Answers {
        declined: row.try_get(0)?,
        all: row.try_get(1)?,
        last: row.try_get(2)?,
    })
}

/// Deletes the answers that are older than a day.
pub(super) async fn old_card_answers_delete(client: &impl GenericClient, now: Instant) -> Result<(), Error> {
    client
        .execute_typed(
            "DELETE FROM card_answer WHERE at < $1",
            &[(&(now - DAY), Type::TIMESTAMPTZ)],
        )
        .await
        .map(drop)
}

// ---------------------------------------------------------------- for staff

/// One screen shows them without pages.
const CLOSURES_MAX: i64 = 100;

/// The closed card forms, those that open last first.
pub async fn card_closures_in_force(
    client: &impl GenericClient,
    now: Instant,
) -> Result<Vec<CardClosure>, Error> {
    let rest =
        "WHERE c.reopened_at IS NULL AND c.closed_until > $1 ORDER BY c.closed_until DESC, c.id LIMIT $2";
    fetch(client, &closure_select(rest), params![now, CLOSURES_MAX]).await
}

pub async fn card_closure_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<CardClosure>, Error> {
    fetch_opt(client, &closure_select("WHERE c.id = $1"), params![id]).await
}

fn closure_select(rest: &str) -> String {
    let columns = CardClosure::COLUMNS;
    format!(
        "SELECT {columns} FROM card_closure c
           JOIN payment_link l ON l.id = c.link_id
           JOIN business b ON b.id = l.business_id {rest}"
    )
}

/// Opens the form again, on behalf of staff. Earlier declines no longer count. Returns false if this closing is not in
/// force.
pub async fn card_closure_reopen(
    client: &impl GenericClient,
    id: Uuid,
    by: UserId,
    now: Instant,
) -> Result<bool, Error> {
    let sql = "UPDATE card_closure SET reopened_at = $2, reopened_by = $3
                WHERE id = $1 AND reopened_at IS NULL AND closed_until > $2";
    Ok(execute(client, sql, params![id, now, by]).await? > 0)
}
