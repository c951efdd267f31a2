//! The history of a terminal: its companies and its billing, each with the period in which it was in force.

use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, TerminalId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};

use super::billing::Billing;
use crate::companies::NamedCompany;
use crate::validity::History;

/// The most rows that a history reads; older ones are left out. A terminal changes a few times in its life.
const PERIODS_MAX: i64 = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerPeriod {
    /// `None`: in stock.
    pub company: Option<NamedCompany>,
    pub since: Instant,
    /// `None`: until now.
    pub until: Option<Instant>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingPeriod {
    pub billing: Billing,
    /// The usual price at the period's beginning. A rental without an individual price has it during the whole period.
    pub platform_rental_price: Cents,
    pub since: Instant,
    /// `None`: until now.
    pub until: Option<Instant>,
}

/// The terminal's companies, the latest first.
pub async fn terminal_owner_periods(
    client: &impl GenericClient,
    terminal_id: TerminalId,
) -> Result<Vec<OwnerPeriod>, Error> {
    let rows = client
        .query_typed(
            "SELECT b.id, b.name, b.document, o.valid_from,
                    lag(o.valid_from) OVER (ORDER BY o.valid_from DESC)
               FROM terminal_owner o LEFT JOIN business b ON b.id = o.business_id
              WHERE o.terminal_id = $1
              ORDER BY o.valid_from DESC LIMIT $2",
            &[(&terminal_id.uuid(), Type::UUID), (&PERIODS_MAX, Type::INT8)],
        )
        .await?;
    let period = rows.iter().map(|row| OwnerPeriod {
        company: row.get::<_, Option<uuid::Uuid>>(0).map(|id| NamedCompany {
            id: BusinessId::from_uuid(id),
            name: row.get(1),
            document: row.get(2),
        }),
        since: row.get(3),
        until: row.get(4),
    });
    Ok(period.collect())
}

impl BillingPeriod {
    /// Splits a rental without an individual price into a period for each usual price, the latest first. Other billings
    /// stay one period.
    fn by_usual_price(self, prices: &History<Cents>) -> Vec<Self> {
        let price_at = |instant| prices.at(instant).copied().unwrap_or(Cents::ZERO);
        let changes = match self.billing {
            Billing::Rental(None) => prices.changes_between(self.since, self.until).collect(),
            Billing::Rental(Some(_)) | Billing::Adhesion(_) => vec![],
        };
        let mut periods: Vec<Self> = vec![];
        for since in [self.since].into_iter().chain(changes) {
            let platform_rental_price = price_at(since);
            match periods.last_mut() {
                // The same price set again.
                Some(last) if last.platform_rental_price == platform_rental_price => continue,
                Some(last) => last.until = Some(since),
                None => {}
            }
            periods.push(Self {
                platform_rental_price,
                since,
                ..self
            });
        }
        periods.reverse();
        periods
    }
}

/// The terminal's billing periods, the latest first. `prices` are the usual prices until now.
pub async fn terminal_billings(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    prices: &History<Cents>,
) -> Result<Vec<BillingPeriod>, Error> {
    let rows = client
        .query_typed(
            "SELECT billing_type, acquisition, rental_cents, valid_from,
                    lag(valid_from) OVER (ORDER BY valid_from DESC)
               FROM terminal_billing WHERE terminal_id = $1
              ORDER BY valid_from DESC LIMIT $2",
            &[(&terminal_id.uuid(), Type::UUID), (&PERIODS_MAX, Type::INT8)],
        )
        .await?;
    let period = |row: &Row| BillingPeriod {
        billing: Billing::of_columns(row.get(0), row.get(1), row.get(2)),
        // Set by `by_usual_price`.
        platform_rental_price: Cents::ZERO,
        since: row.get(3),
        until: row.get(4),
    };
    let periods = rows.iter().map(period);
    Ok(periods.flat_map(|period| period.by_usual_price(prices)).collect())
}

/// Whether the company ever had the terminal.
pub async fn terminal_was_owned_by(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    business_id: BusinessId,
) -> Result<bool, Error> {
    let row = client
        .query_typed_opt(
            "SELECT FROM terminal_owner WHERE business_id = $2 AND terminal_id = $1 LIMIT 1",
            &[
                (&terminal_id.uuid(), Type::UUID),
                (&business_id.uuid(), Type::UUID),
            ],
        )
        .await?;
    Ok(row.is_some())
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn second(seconds: i64) -> Instant {
        DateTime::from_timestamp(seconds, 0).expect("in range")
    }

    /// Splits a period from second 40 on. Returns the start, end and usual price of each part. The usual price is 10
    /// from second 0 on, 20 from 50 on (set again at 60), and 30 from 70 on.
    fn parts(billing: Billing, until: Option<i64>) -> Vec<(i64, Option<i64>, i64)> {
        let mut prices = History::default();
        for (since, cents) in [(0, 10), (50, 20), (60, 20), (70, 30)] {
            prices.add(second(since), Cents::new(cents));
        }
        let period = BillingPeriod {
            billing,
            platform_rental_price: Cents::ZERO,
            since: second(40),
            until: until.map(second),
        };
        let periods = period.by_usual_price(&prices).into_iter();
        let seconds = |instant: Instant| instant.timestamp();
        periods
            .map(|part| {
                (
                    seconds(part.since),
                    part.until.map(seconds),
                    part.platform_rental_price.get(),
                )
            })
            .collect()
    }

    #[test]
    fn only_a_rental_without_an_individual_price_has_a_period_for_each_usual_price() {
        assert_eq!(parts(Billing::Rental(None), Some(45)), [(40, Some(45), 10)]);
        assert_eq!(parts(Billing::Rental(None), Some(50)), [(40, Some(50), 10)]);
        let all = [(70, None, 30), (50, Some(70), 20), (40, Some(50), 10)];
        assert_eq!(parts(Billing::Rental(None), None), all);
        let ended = [(50, Some(65), 20), (40, Some(50), 10)];
        assert_eq!(parts(Billing::Rental(None), Some(65)), ended);
        let individual = Billing::Rental(Some(Cents::new(5)));
        assert_eq!(parts(individual, None), [(40, None, 10)]);
        assert_eq!(parts(Billing::NEW, None), [(40, None, 10)]);
    }
}
