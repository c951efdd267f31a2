//! Keeps an acquirer's answers on the row of an attempt, and adds exceptions that staff resolve by hand.

use gateway_acquirers::charge::Charge;
use gateway_acquirers::names::ReportedNames;
use gateway_acquirers::notice::NoticeHint;
use ledger_domain::SaleId;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, Provider};
use ledger_rows::get;
use serde_json::json;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};

use super::attempt::{Attempt, AttemptEnd};
use super::brands;
use super::codes::Disagreement;
use super::declines::DeclineText;
use super::names::names_of;
use super::transitions::Stage;
use crate::exceptions::by_hand::{self, ManualException};
use crate::providers::FieldErrors;
use crate::reconciliation::mark_rows_of_charge;

/// The facts of a payment, as they were first answered.
pub(super) struct Payment {
    pub paid_at: Instant,
    pub brand: Option<String>,
    pub last_four: Option<String>,
    pub authorization_code: Option<String>,
    pub names: ReportedNames,
}

/// The first id is kept. An acquirer that names another charge for the same sale has charged it twice, and the look-up
/// by the first id still finds the first charge.
pub(super) async fn keep_charge_id(
    client: &impl GenericClient,
    attempt: &Attempt,
    charge_id: &str,
) -> Result<(), Error> {
    let kept = client
        .execute_typed(
            "UPDATE order_attempt SET acquirer_id = $2 WHERE sale_id = $1 AND acquirer_id IS NULL",
            &[(&attempt.sale_id.uuid(), Type::UUID), (&charge_id, Type::TEXT)],
        )
        .await?;
    if kept > 0 {
        // Rows of settlement files may name this charge.
        mark_rows_of_charge(client, attempt.provider, charge_id).await?;
    }
    Ok(())
}

/// Keeps the facts of a payment as they are first answered. The brand and the digits that the browser read count if the
/// acquirer names no valid ones.
pub(super) async fn keep_payment(
    client: &impl GenericClient,
    attempt: &Attempt,
    charge: &Charge,
    now: Instant,
) -> Result<Payment, Error> {
    let card = charge.card.clone().unwrap_or_default();
    let is_told = card.brand.is_some();
    let brand = card.brand.or_else(|| attempt.card_brand.clone());
    let brand = brand.as_ref().map(CardBrand::as_str);
    let four_digits = |text: &String| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let last_four = card.last_four.filter(four_digits);
    let last_four = last_four.or_else(|| attempt.card_last_four.clone());
    // The column and the notice take 40 characters. A payment is kept without a longer code.
    let code = card
        .authorization_code
        .filter(|code| (1..=40).contains(&code.chars().count()));
    let names = names_of(charge);
    let row = client
        .query_typed_one(
            "UPDATE order_attempt
                SET paid_at            = coalesce(paid_at, $2),
                    paid_brand         = CASE WHEN paid_at IS NULL THEN $3 ELSE paid_brand END,
                    paid_last_four     = CASE WHEN paid_at IS NULL THEN $4 ELSE paid_last_four END,
                    authorization_code = CASE WHEN paid_at IS NULL THEN $5 ELSE authorization_code END,
                    names              = CASE WHEN paid_at IS NULL THEN $7 ELSE names END,
                    brand_source       = CASE WHEN paid_at IS NULL AND $6 THEN 'charge' ELSE brand_source END
              WHERE sale_id = $1 RETURNING paid_at, paid_brand, paid_last_four, authorization_code, names",
            &[
                (&attempt.sale_id.uuid(), Type::UUID),
                (&charge.at.unwrap_or(now), Type::TIMESTAMPTZ),
                (&brand, Type::TEXT),
                (&last_four, Type::TEXT),
                (&code, Type::TEXT),
                (&is_told, Type::BOOL),
                (&Json(&names), Type::JSONB),
            ],
        )
        .await?;
    Ok(Payment {
        paid_at: row.get(0),
        brand: row.get(1),
        last_four: row.get(2),
        authorization_code: row.get(3),
        // Null if a version that knew no names kept the payment: a repeated report then has none either.
        names: row
            .get::<_, Option<Json<ReportedNames>>>(4)
            .map_or_else(ReportedNames::default, |kept| kept.0),
    })
}

/// Adds an exception for staff if a card that was paid has another brand than its total was priced for. Only a buyer
/// who pays the fees pays another total for another brand.
pub(super) async fn report_brand_difference(
    client: &impl GenericClient,
    attempt: &Attempt,
    charge: &Charge,
) -> Result<(), Error> {
    let told = charge.card.as_ref().and_then(|card| card.brand.as_ref());
    let (Some(told), Some(priced)) = (told, &attempt.card_brand) else {
        return Ok(());
    };
    if told.priced_as() == priced.priced_as() {
        return Ok(());
    }
    brands::report(client, attempt.sale_id, told.as_str()).await
}

/// How an attempt ends without a payment, as it was first answered.
pub(super) struct Unpaid {
    pub at: Instant,
    pub end: AttemptEnd,
    /// The first one that was answered.
    pub decline: Option<DeclineText>,
}

pub(super) async fn keep_unpaid(
    client: &impl GenericClient,
    sale_id: SaleId,
    at: Instant,
    end: AttemptEnd,
    decline: Option<&str>,
) -> Result<Unpaid, Error> {
    let row = client
        .query_typed_one(
            "UPDATE order_attempt
                SET unpaid_at = coalesce(unpaid_at, $2), ends_as = coalesce(ends_as, $3),
                    decline = coalesce(decline, $4)
              WHERE sale_id = $1 RETURNING unpaid_at, ends_as, decline",
            &[
                (&sale_id.uuid(), Type::UUID),
                (&at, Type::TIMESTAMPTZ),
                (&end.as_str(), Type::TEXT),
                (&decline, Type::TEXT),
            ],
        )
        .await?;
    Ok(Unpaid {
        at: row.get(0),
        end: get(&row, 1)?,
        decline: row.get::<_, Option<&str>>(2).map(DeclineText::of_column),
    })
}

/// Keeps when a state after the payment was first answered, and returns that time. So a repeated report of the state is
/// the same notice, although some acquirers state no time.
pub(super) async fn keep_fact_time(
    client: &impl GenericClient,
    sale_id: SaleId,
    state: &str,
    at: Instant,
) -> Result<Instant, Error> {
    let row = client
        .query_typed_one(
            // Of two objects with one key, the right one counts.
            "UPDATE order_attempt SET fact_times = jsonb_build_object($2::text, $3::timestamptz) || fact_times
              WHERE sale_id = $1 RETURNING (fact_times ->> $2)::timestamptz",
            &[
                (&sale_id.uuid(), Type::UUID),
                (&state, Type::TEXT),
                (&at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    Ok(row.get(0))
}

/// Why staff must decide about what an acquirer shows of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It contradicts what the ledger has recorded.
    Contradiction,
    PartlyRefunded,
    /// The acquirer's status is in no table.
    Unlisted,
}

impl Doubt {
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Contradiction => "charge_contradicts",
            Self::PartlyRefunded => "charge_partly_refunded",
            Self::Unlisted => "charge_status_unlisted",
        }
    }
}

/// Adds an exception for staff: what the acquirer shows of the charge has no fact. Once for each pair of states.
pub(super) async fn report_doubt(
    client: &impl GenericClient,
    attempt: &Attempt,
    charge: &Charge,
    recorded: Stage,
    doubt: Doubt,
) -> Result<(), Error> {
    let recorded = recorded.as_str();
    let new = ManualException {
        provider: attempt.provider,
        kind: "charge.doubtful",
        reason: doubt.reason(),
        subject: &format!("{} {recorded} {}", attempt.sale_id, charge.status),
        parameters: json!({
            "charge": charge.charge_id, "recorded_as": recorded, "shown_as": charge.state.as_str(),
            "acquirer_status": charge.status, "amount": charge.amount.unwrap_or(attempt.total),
        }),
        business_id: Some(attempt.business_id),
        sale_id: Some(attempt.sale_id),
    };
    by_hand::add(client, &new).await.map(drop)
}

/// Adds an exception for staff: an acquirer's answer is not a valid fact.
pub(super) async fn report_invalid(
    client: &impl GenericClient,
    attempt: &Attempt,
    notice_type: &str,
    errors: &FieldErrors,
) -> Result<(), Error> {
    let new = ManualException {
        provider: attempt.provider,
        kind: "charge.doubtful",
        reason: "notice_invalid",
        subject: &format!("{} {notice_type}", attempt.sale_id),
        parameters: json!({ "fact": notice_type, "errors": errors.clone().into_inner(), "amount": attempt.total }),
        business_id: Some(attempt.business_id),
        sale_id: Some(attempt.sale_id),
    };
    by_hand::add(client, &new).await.map(drop)
}

/// Adds an exception for staff: a code of the acquirer does not agree with the order.
pub(super) async fn report_disagreement(
    client: &impl GenericClient,
    attempt: &Attempt,
    disagreement: &Disagreement,
) -> Result<(), Error> {
    let new = ManualException {
        provider: attempt.provider,
        kind: "order.code_differs",
        reason: disagreement.reason,
        subject: &attempt.sale_id.to_string(),
        parameters: json!({ "detail": disagreement.detail, "amount": attempt.total }),
        business_id: Some(attempt.business_id),
        sale_id: Some(attempt.sale_id),
    };
    by_hand::add(client, &new).await.map(drop)
}

/// Requests the cancel of a charge whose code must not be shown, and adds an exception for staff. If the
/// attempt stays unpaid, it ends as failed, unless another end is stored already. After a failed PIX or boleto, the
/// next acquirer is asked, if there is one.
pub(super) async fn refuse_to_show(
    client: &impl GenericClient,
    attempt: &Attempt,
    disagreement: &Disagreement,
) -> Result<(), Error> {
    report_disagreement(client, attempt, disagreement).await?;
    client
        .execute_typed(
            "UPDATE order_attempt SET cancel_asked_at = coalesce(cancel_asked_at, now()), ends_as = coalesce(ends_as, 'failed')
              WHERE sale_id = $1 AND ended_at IS NULL",
            &[(&attempt.sale_id.uuid(), Type::UUID)],
        )
        .await
        .map(drop)
}

/// Adds an exception for staff: a notice names a charge that no order has.
pub(super) async fn report_unknown_charge(
    client: &impl GenericClient,
    provider: Provider,
    hint: &NoticeHint,
) -> Result<(), Error> {
    let sale_id = hint.sale_id.map(|id| id.to_string());
    let subject = hint
        .charge_id
        .as_deref()
        .or(sale_id.as_deref())
        .unwrap_or_default();
    let new = ManualException {
        provider,
        kind: "charge.unknown",
        reason: "unknown_charge",
        subject,
        parameters: json!({ "charge": hint.charge_id, "sale": sale_id, "event": hint.event }),
        business_id: None,
        sale_id: None,
    };
    by_hand::add(client, &new).await.map(drop)
}
