//! The changes of a company's accounts within a period, and the receivables that were open at an instant.
//!
//! Both are computed without the balances by day, so that a monthly closing can compare them with those balances.

use ledger_domain::business::Account;
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::{Error, column_values};

/// The changes of one account by events of one type. An event changes an account once: by the sum of its postings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostingSum {
    pub account: Account,
    pub event_type: String,
    /// The number of events that change the account.
    pub postings: u64,
    /// The sum of the changes above zero.
    pub credits: Cents,
    /// The sum of the changes below zero. It is zero or negative.
    pub debits: Cents,
}

/// The changes of a business's accounts by type of event, of the events that happened from `from` on and before
/// `until`.
pub async fn postings_by_event(
    client: &impl GenericClient,
    business: BusinessId,
    (from, until): (Instant, Instant),
) -> Result<Vec<PostingSum>, Error> {
    let rows = client
        .query_typed(
            "SELECT posting.place, event_type, count(*), sum(greatest(posting.amount, 0))::int8,
                    sum(least(posting.amount, 0))::int8
               FROM journal CROSS JOIN LATERAL
                    (VALUES (0::int2, receivable), (1::int2, available), (2::int2, in_transfer),
                            (3::int2, held_by_staff), (4::int2, in_dispute), (5::int2, platform_fees),
                            (6::int2, clearing)) AS posting (place, amount)
              WHERE business_id = $1 AND business_date BETWEEN $4 AND $5
                AND occurred_at >= $2 AND occurred_at < $3 AND posting.amount IS NOT NULL
              GROUP BY posting.place, event_type ORDER BY posting.place, event_type",
            &[
                (&business.uuid(), Type::UUID),
                (&from, Type::TIMESTAMPTZ),
                (&until, Type::TIMESTAMPTZ),
                // The dates repeat the range for the index, which is by date.
                (&business_date(from), Type::DATE),
                (&business_date(until), Type::DATE),
            ],
        )
        .await?;
    let sum = |row: &Row| {
        let place: i16 = row.get(0);
        let account = usize::try_from(place)
            .ok()
            .and_then(|place| Account::ALL.get(place));
        Ok(PostingSum {
            account: *account.ok_or_else(|| Error::unreadable("journal", place))?,
            event_type: row.get(1),
            postings: column_values::count("journal", row.get(2))?,
            credits: Cents::new(row.get(3)),
            debits: Cents::new(row.get(4)),
        })
    };
    rows.iter().map(sum).collect()
}

/// Installments with the same due date, acquirer, brand and payment type that were not paid at an instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenReceivables {
    pub due_date: Date,
    pub provider: Provider,
    pub card_brand: Option<CardBrand>,
    pub payment_type: PaymentType,
    pub installments: u64,
    pub gross: Cents,
    pub net: Cents,
    /// Why they were open after their due date. `None` if they were not due yet.
    pub overdue: Option<OverdueReason>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverdueReason {
    /// The sale was recorded after the installment's due date.
    RecordedLate,
    /// The sale was known, and the installment was not settled.
    NotSettled,
}

impl OverdueReason {
    pub const ALL: [Self; 2] = [Self::RecordedLate, Self::NotSettled];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RecordedLate => "recorded_late",
            Self::NotSettled => "not_settled",
        }
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::RecordedLate => "Vencida: a venda foi registrada com atraso",
            Self::NotSettled => "Vencida: ainda não liquidada",
        }
    }

    fn read(word: Option<&str>) -> Result<Option<Self>, Error> {
        let Some(word) = word else { return Ok(None) };
        let known = Self::ALL.into_iter().find(|reason| reason.as_str() == word);
        known.map(Some).ok_or_else(|| Error::unreadable("overdue", word))
    }
}

/// The receivables of a business that were open at the instant, by due date.
///
/// An installment was open if the event that paid it happened at the instant or later, or never. A settlement happens
/// on its installment's due date, however late it is recorded, so only a reversal pays an overdue installment later. The
/// receivables schedule has the capture dates of the installments that were due later or are open still, and the
/// reversals since the instant lead to the sales that they paid. Older sales are not read, so the cost does not grow
/// with them.
pub async fn open_receivables(
    client: &impl GenericClient,
    business: BusinessId,
    at: Instant,
) -> Result<Vec<OpenReceivables>, Error> {
    let rows = client
        .query_typed(
            "SELECT installment.due_date, sale.provider, sale.card_brand, sale.payment_type, count(*),
                    sum(CASE WHEN consumed.net = 0 THEN installment.gross
                              ELSE share_of(installment.gross, installment.net - consumed.net, installment.net)
                         END)::int8,
                    sum(installment.net - consumed.net)::int8,
                    CASE WHEN installment.due_date >= $3 THEN NULL
                         WHEN (SELECT (captured.recorded_at AT TIME ZONE 'America/Sao_Paulo')::date
                                 FROM journal captured
                                WHERE captured.business_id = $1 AND captured.occurred_at = sale.captured_at
                                  AND captured.event_type = 'SaleCaptured'
                                  AND captured.sequence = ANY (sale.sequences)) > installment.due_date
                         THEN 'recorded_late' ELSE 'not_settled' END
               FROM sale
              CROSS JOIN LATERAL unnest(sale.due_dates, sale.installment_gross, sale.installment_net, sale.settled_by)
                                 WITH ORDINALITY AS installment (due_date, gross, net, settled_by, number)
              CROSS JOIN LATERAL (
                    SELECT coalesce(sum(part.net), 0)::int8 AS net
                      FROM unnest(sale.consumed_by, sale.consumed_installment, sale.consumed_net)
                           AS part (sequence, number, net)
                      JOIN journal part_event ON part_event.business_id = $1 AND part_event.sequence = part.sequence
                     WHERE part.number = installment.number AND part_event.occurred_at < $2) AS consumed
               LEFT JOIN journal paid ON paid.business_id = $1 AND paid.business_date >= $3
                                     AND paid.sequence = installment.settled_by
              WHERE sale.business_id = $1 AND sale.occurred_at < $2
                AND sale.occurred_at >= least(
                        (SELECT min(captured.date)::timestamp AT TIME ZONE 'America/Sao_Paulo'
                           FROM receivables_schedule CROSS JOIN LATERAL unnest(captured_on) AS captured (date)
                          WHERE business_id = $1 AND (due_date >= $3 OR open)),
                        (SELECT min(reversed.occurred_at)
                           FROM journal reversal
                           JOIN sale reversed ON reversed.business_id = $1
                                             AND reversed.accelerated_by = reversal.sequence
                          WHERE reversal.business_id = $1 AND reversal.occurred_at >= $2
                            AND reversal.event_type IN ('SaleCanceled', 'SaleDisputed', 'SaleChargedBack')),
                        (SELECT min(in_part.occurred_at)
                           FROM sale in_part
                           JOIN journal part_event ON part_event.business_id = $1
                                                  AND part_event.sequence = ANY (in_part.consumed_by)
                          WHERE in_part.business_id = $1 AND cardinality(in_part.consumed_by) > 0
                            AND part_event.occurred_at >= $2))
                AND (installment.settled_by IS NULL OR paid.occurred_at >= $2)
              GROUP BY 1, 2, 3, 4, 8 ORDER BY 1, 2, 3, 4, 8",
            &[
                (&business.uuid(), Type::UUID),
                (&at, Type::TIMESTAMPTZ),
                // An installment that was open was not paid by an event of an earlier date.
                (&business_date(at), Type::DATE),
            ],
        )
        .await?;
    let unit = |row: &Row| {
        let brand: Option<&str> = row.get(2);
        Ok(OpenReceivables {
            due_date: row.get(0),
            provider: column_values::provider(row.get(1))?,
            card_brand: column_values::optional_brand(brand)?,
            payment_type: column_values::payment_type(row.get(3))?,
            installments: column_values::count("sale.due_dates", row.get(4))?,
            gross: Cents::new(row.get(5)),
            net: Cents::new(row.get(6)),
            overdue: OverdueReason::read(row.get(7))?,
        })
    };
    rows.iter().map(unit).collect()
}
