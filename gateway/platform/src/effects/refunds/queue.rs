//! The table of refunds: adds requests, and adds or resolves exceptions when requests end.

use deadpool_postgres::Transaction;
use ledger_domain::ids::RefundId;
use ledger_domain::sale::{Provider, RefundReference};
use ledger_domain::{Cents, SaleId};
use ledger_store::trace;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::exceptions::{ExceptionResolution, refunds as refused_refunds, work};
use crate::outboxes::Work;
use crate::providers::refunds::RefundRequest;

/// Adds a refund that the platform started and the ledger recorded at this position. `charged` is true if an order's
/// attempt charged the sale: the acquirer that charged it refunds it. A refund that was added before stays as it is.
pub(super) async fn add(
    client: &impl GenericClient,
    request: &RefundRequest,
    position: i64,
) -> Result<(), Error> {
    trace::remember(request.refund_id.uuid());
    client
        .execute_typed(
            "INSERT INTO refund (refund_id, sale_id, business_id, provider, external_id, amount, charged, handled_to,
                                 of_part, reference)
             VALUES ($1, $2, $3, $4, $5, $6, EXISTS (SELECT FROM order_attempt WHERE sale_id = $2), $7, $8, $9)
             ON CONFLICT (refund_id) DO NOTHING",
            &[
                (&request.refund_id.uuid(), Type::UUID),
                (&request.sale_id.uuid(), Type::UUID),
                (&request.business_id.uuid(), Type::UUID),
                (&i16::from(request.provider.number()), Type::INT2),
                (&request.external_id, Type::TEXT),
                (&request.amount.get(), Type::INT8),
                (&position, Type::INT8),
                (&request.of_part, Type::BOOL),
                (&request.reference.as_ref().map(RefundReference::as_str), Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

/// Adds a new request after the acquirer's final refusal, under an id that is derived from the refused one. Returns
/// false if that request was not refused or already has a new one.
pub async fn request_again(client: &impl GenericClient, refused: RefundId) -> Result<bool, Error> {
    let refund_id = Uuid::new_v5(&refused.uuid(), b"again");
    let added = client
        .execute_typed(
            "INSERT INTO refund (refund_id, sale_id, attempt, business_id, provider, external_id, amount, charged,
                                 of_part, reference)
             SELECT $2, sale_id, attempt + 1, business_id, provider, external_id, amount, charged, of_part, reference
               FROM refund WHERE refund_id = $1 AND status = 'refused'
             ON CONFLICT DO NOTHING",
            &[(&refused.uuid(), Type::UUID), (&refund_id, Type::UUID)],
        )
        .await?;
    Ok(added == 1)
}

/// The acquirer answered that the buyer has the money: the row has just ended. Its exception is resolved, if it was
/// unreadable before.
pub(super) async fn done(tx: &Transaction<'_>, refund_id: RefundId) -> Result<(), Error> {
    tx.execute_typed(
        "UPDATE refund SET last_error = NULL WHERE refund_id = $1",
        &[(&refund_id.uuid(), Type::UUID)],
    )
    .await?;
    work::resolve_ended(&**tx, Work::Refund, refund_id.uuid()).await
}

/// The acquirer refused for good: the row has just ended. It is added to the exceptions queue in the same transaction.
/// The alarm is raised before the commit, so that a crash repeats it instead of losing it.
pub(super) async fn refuse(
    tx: &Transaction<'_>,
    request: &RefundRequest,
    reason: Option<&str>,
) -> Result<(), Error> {
    tx.execute_typed(
        "UPDATE refund SET reason = $2, last_error = NULL WHERE refund_id = $1",
        &[(&request.refund_id.uuid(), Type::UUID), (&reason, Type::TEXT)],
    )
    .await?;
    refused_refunds::add(&**tx, request, reason).await?;
    metrics::counter!("razao_refunds_refused_total").increment(1);
    tracing::error!(
        code = "refund_refused", refund_id = %request.refund_id, sale_id = %request.sale_id,
        amount = request.amount.get(),
        "an acquirer refused a refund for good: staff must check it"
    );
    Ok(())
}

/// The acquirer's notice reports that the buyer has the money. It ends the last request of the cancel, whatever the
/// acquirer answered before, and resolves its exceptions.
pub async fn end_as_refunded(
    client: &impl GenericClient,
    sale_id: SaleId,
    provider: Provider,
) -> Result<(), Error> {
    let last = "SELECT refund_id FROM refund WHERE sale_id = $1 AND provider = $2
                 ORDER BY reference IS NULL DESC, created_at DESC, attempt DESC LIMIT 1";
    client
        .execute_typed(
            &end_as_done(last, "true"),
            &[
                (&sale_id.uuid(), Type::UUID),
                (&i16::from(provider.number()), Type::INT2),
            ],
        )
        .await
        .map(drop)
}

/// The acquirer's notice reports a refund of this amount, and the platform's own of the same amount is not answered. If
/// its request was never sent, or was refused for good, someone has made it at the acquirer: it ends. Returns whether it
/// has ended, now or before.
pub async fn end_refunded_by_hand(
    client: &impl GenericClient,
    sale_id: SaleId,
    reference: &RefundReference,
    amount: Cents,
) -> Result<bool, Error> {
    let last = "SELECT refund_id FROM refund WHERE sale_id = $1 AND reference = $2 AND amount = $3
                 ORDER BY attempt DESC LIMIT 1";
    let parameters: [(&(dyn ToSql + Sync), Type); 3] = [
        (&sale_id.uuid(), Type::UUID),
        (&reference.as_str(), Type::TEXT),
        (&amount.get(), Type::INT8),
    ];
    let condition = "status = 'refused' OR (status = 'waiting' AND tries = 0)";
    client
        .execute_typed(&end_as_done(last, condition), &parameters)
        .await?;
    let status = format!("SELECT status = 'done' FROM refund WHERE refund_id = ({last})");
    let found = client.query_typed(&status, &parameters).await?.pop();
    Ok(found.is_some_and(|row| row.get(0)))
}

/// The statement that ends a request as done, unless it was before, and resolves its exceptions.
fn end_as_done(request: &str, condition: &str) -> String {
    let refunded = ExceptionResolution::Refunded.as_str();
    format!(
        "WITH done AS (
            UPDATE refund SET status = 'done', ended_at = now(), updated_at = now(), next_try_at = NULL,
                              last_error = NULL, reason = NULL
             WHERE refund_id = ({request}) AND status <> 'done' AND ({condition})
         RETURNING refund_id),
              unreadable AS (
            UPDATE exception SET status = 'resolved', resolution = '{refunded}', ended_at = now()
              FROM done WHERE exception.work = 'refund' AND exception.work_id = done.refund_id
                          AND exception.status = 'waiting')
         UPDATE exception SET status = 'resolved', resolution = '{refunded}', ended_at = now()
           FROM done WHERE exception.refund_id = done.refund_id AND exception.status = 'waiting'"
    )
}
