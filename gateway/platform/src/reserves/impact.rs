//! What rules of a reserve would hold, before they are saved.
//!
//! The figures rest on sums: the real share is rounded for each installment, so they can differ by some cents.

use std::collections::BTreeMap;

use ledger_domain::calendar::{Calendar, Date};
use ledger_domain::reserve::ReserveRules;
use ledger_domain::{BusinessId, Cents};
use projections::receivables::coming_receivables;
use projections::rows_of_each_shard;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::ReserveOf;

/// The most days with receivables that the answer for a company looks at.
const DAYS_MAX: i64 = 400;

/// The companies that the rules would be of, and what they would have held of a month's settlements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReserveImpact {
    /// For a receiving plan, only those without own rules on the day from which the rules count.
    pub companies: u64,
    /// In cents. What was settled in the month.
    pub settled: i64,
    /// In cents. What of it would have been held, without what was released again within the month.
    pub reserved: i64,
}

/// What would be held of a coming day's settlements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComingReserve {
    pub due_date: Date,
    pub settled: Cents,
    pub reserved: Cents,
    pub release_on: Date,
    /// In cents. What is held in all after the day's settlements, with what was held before.
    pub held: i64,
}

/// The impact on last month: `month` is its first day.
pub async fn reserve_impact(
    client: &impl GenericClient,
    of: ReserveOf,
    (valid_from, rules): (Date, &ReserveRules),
    month: Date,
) -> Result<ReserveImpact, tokio_postgres::Error> {
    let (company, plan): (Option<Uuid>, Option<Uuid>) = match of {
        ReserveOf::Company(company) => (Some(company.uuid()), None),
        ReserveOf::ReceivingPlan(plan) => (None, Some(plan)),
    };
    let months = rows_of_each_shard("SELECT business_id, settled FROM monthly_sales WHERE month = $3");
    let sql = format!(
        "SELECT m.settled FROM business b
           LEFT JOIN ({months}) m ON m.business_id = b.id
          WHERE b.id = $1
             OR (b.receiving_plan_id = $2
                 AND NOT coalesce((SELECT r.ends_on IS NULL OR r.ends_on >= $4 FROM reserve_rules r
                                    WHERE r.business_id = b.id AND r.valid_from <= $4
                                    ORDER BY r.version DESC LIMIT 1), false))"
    );
    let rows = client
        .query_typed(
            &sql,
            &[
                (&company, Type::UUID),
                (&plan, Type::UUID),
                (&month, Type::DATE),
                (&valid_from, Type::DATE),
            ],
        )
        .await?;
    let mut impact = ReserveImpact::default();
    for row in &rows {
        let settled = Cents::new(row.get::<_, Option<i64>>(0).unwrap_or_default());
        let share = rules.percentage.apply(settled);
        let reserved = rules.maximum.map_or(share, |maximum| share.min(maximum));
        impact.companies += 1;
        impact.settled += settled.get();
        impact.reserved += reserved.get();
    }
    Ok(impact)
}

/// The coming receivables of a company by due date, with what the rules would hold of each day from `valid_from` on.
/// `releases` has what the reserve holds now, in cents by the day on which it leaves.
pub async fn coming_reserve(
    client: &impl GenericClient,
    company: BusinessId,
    rules: &ReserveRules,
    (valid_from, calendar): (Date, &Calendar),
    releases: &[(Date, i64)],
) -> Result<Vec<ComingReserve>, projections::Error> {
    let coming = coming_receivables(client, company, DAYS_MAX).await?;
    let mut leaving: BTreeMap<Date, i64> = releases.iter().copied().collect();
    let mut held: i64 = leaving.values().sum();
    let mut days = vec![];
    for (due_date, settled) in coming {
        while let Some((_, amount)) = leaving.first_key_value().filter(|(day, _)| **day <= due_date) {
            held -= amount;
            leaving.pop_first();
        }
        let terms = rules
            .terms_on(due_date, calendar)
            .filter(|_| due_date >= valid_from);
        let Some(terms) = terms else { continue };
        let reserved = terms.of(settled, Cents::new(held));
        held += reserved.get();
        *leaving.entry(terms.release_on).or_default() += reserved.get();
        days.push(ComingReserve {
            due_date,
            settled,
            reserved,
            release_on: terms.release_on,
            held,
        });
    }
    Ok(days)
}
