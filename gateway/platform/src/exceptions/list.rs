//! The exceptions queue as staff see it.

use chrono::{DateTime, Utc};
use ledger_domain::ids::{RefundId, UserId};
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use ledger_rows::{fetch_opt, params, row, value};
use projections::SortOrder;
use serde_json::Value;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::queue;
use crate::list::{Conditions, List, Order};
use crate::outboxes::Work;

/// The count stops here. An exact count costs too much for its use.
const WAITING_MAX: i64 = 10_000;

ledger_domain::words! {
    pub enum ExceptionStatus {
        Waiting = "waiting" => "Aguardando",
        Resolved = "resolved" => "Resolvida",
        Closed = "closed" => "Encerrada",
    }
}

ledger_domain::words! {
    /// How an exception was resolved. A closed one has the reason that staff wrote instead.
    pub enum ExceptionResolution {
        // Its event is in the ledger.
        Recorded = "recorded" => "Registrada",
        // The ledger had its event before.
        Already = "already" => "Já estava registrada",
        // The refund was requested again.
        AskedAgain = "asked_again" => "Estorno pedido de novo",
        // The row of work went back to its queue.
        TriedAgain = "tried_again" => "Enviada de novo",
        // The acquirer confirmed the refund later.
        Refunded = "refunded" => "Estorno confirmado pela adquirente",
        // The row of work has ended.
        Ended = "ended" => "Concluída sem nova tentativa",
    }
}

/// A waiting or ended exception: a notice, a refused refund, an unreadable row of work, or an exception that staff
/// settle by hand.
#[derive(Debug)]
pub struct ExceptionRecord {
    pub id: Uuid,
    /// `None` for an unreadable row of work, or if this version does not know the provider.
    pub provider: Option<Provider>,
    /// The provider's id of the notice. For other exceptions it is the id of the refund or of the row, or the type and
    /// the subject of an exception that staff settle by hand.
    pub notice_id: String,
    pub r#type: String,
    pub body: String,
    /// The code of the reason why it waits.
    pub reason: String,
    pub reason_parameters: serde_json::Value,
    pub business_id: Option<BusinessId>,
    pub business_name: Option<String>,
    pub sale_id: Option<SaleId>,
    /// The refused refund; `None` for other exceptions.
    pub refund_id: Option<RefundId>,
    /// The unreadable row of work; `None` for other exceptions.
    pub work: Option<(Work, Uuid)>,
    /// Whether it is a notice. Staff can assign it to a company while it waits.
    pub assignable: bool,
    /// Staff settle it outside the platform, and then close it.
    pub by_hand: bool,
    pub received_at: DateTime<Utc>,
    pub tries: i32,
    pub last_tried_at: DateTime<Utc>,
    pub next_try_at: Option<DateTime<Utc>>,
    pub status: ExceptionStatus,
    /// How it ended; `None` while it waits. A resolved one has an `ExceptionResolution`, a closed one the reason that
    /// staff wrote.
    pub resolution: Option<String>,
    pub handled_by: Option<UserId>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// Selects exceptions, in the order of their arrival. A missing criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExceptionsFilter {
    pub provider: Option<Provider>,
    pub notice_type: Option<String>,
    pub status: Option<ExceptionStatus>,
    pub order: SortOrder,
}

impl List for ExceptionsFilter {
    type Row = ExceptionRecord;
    const TABLE: &'static str = "exception e";
    const JOINS: &'static str = "LEFT JOIN business b ON b.id = e.business_id";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("e.provider", &self.provider);
        list.equals("e.notice_type", &self.notice_type);
        list.equals("e.status", &self.status);
    }

    fn order(&self) -> Order {
        Order::by(&["e.received_at", "e.id"], self.order)
    }
}

/// The number of waiting exceptions, counted up to 10,000.
pub async fn exceptions_waiting(client: &impl GenericClient) -> Result<i64, Error> {
    let sql = "SELECT count(*) FROM (SELECT FROM exception WHERE status = 'waiting' LIMIT $1) AS waiting";
    value(client, sql, params![WAITING_MAX]).await
}

/// How long the oldest waiting exception has waited; 0 if none waits.
pub async fn exceptions_oldest_seconds(client: &impl GenericClient) -> Result<i64, Error> {
    let sql = "SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0)::int8
                 FROM exception WHERE status = 'waiting'";
    value(client, sql, params![]).await
}

/// The number of waiting exceptions that only staff can settle, counted up to 10,000.
pub async fn exceptions_by_hand(client: &impl GenericClient) -> Result<i64, Error> {
    let sql = "SELECT count(*) FROM (SELECT FROM exception WHERE status = 'waiting' AND by_hand LIMIT $1) AS waiting";
    value(client, sql, params![WAITING_MAX]).await
}

pub async fn exception_fetch(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<Option<ExceptionRecord>, Error> {
    fetch_opt(client, &ExceptionsFilter::select("WHERE e.id = $1"), params![id]).await
}

row! {
    impl FromRow for ExceptionRecord {
        id: Uuid = "e.id",
        provider: Option<i16> = "e.provider",
        notice_id: String = "e.notice_id",
        notice_type: String = "e.notice_type",
        body: String = "e.body",
        reason: String = "e.reason",
        reason_parameters: Value = "e.reason_parameters",
        business_id: Option<BusinessId> = "e.business_id",
        business_name: Option<String> = "b.name",
        sale_id: Option<SaleId> = "e.sale_id",
        refund_id: Option<RefundId> = "e.refund_id",
        work: Option<String> = "e.work",
        work_id: Option<Uuid> = "e.work_id",
        by_hand: bool = "e.by_hand",
        received_at: DateTime<Utc> = "e.received_at",
        tries: i32 = "e.tries",
        last_tried_at: DateTime<Utc> = "e.last_tried_at",
        next_try_at: Option<DateTime<Utc>> = "e.next_try_at",
        status: ExceptionStatus = "e.status",
        resolution: Option<String> = "e.resolution",
        handled_by: Option<UserId> = "e.handled_by",
        ended_at: Option<DateTime<Utc>> = "e.ended_at",
    } => {
        let work = work.as_deref().and_then(Work::of_table);
        Self {
            id,
            provider: queue::provider_of_number(provider),
            notice_id,
            r#type: notice_type,
            body,
            reason,
            reason_parameters,
            business_id,
            business_name,
            sale_id,
            refund_id,
            work: work.zip(work_id),
            assignable: refund_id.is_none() && work.is_none() && !by_hand,
            by_hand,
            received_at,
            tries,
            last_tried_at,
            next_try_at,
            status,
            resolution,
            handled_by,
            ended_at,
        }
    }
}
