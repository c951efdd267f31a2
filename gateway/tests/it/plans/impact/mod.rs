//! The impact of a change of a plan on last month's sales and withdrawals. `TermsOfAllSales` prices the sales with
//! separate arithmetic.

mod exceptions;
mod job;
mod what_if;
mod withdrawals;

use deadpool_postgres::{Manager, Pool};
use gateway_identity::roles::AdminRole;
use ledger_domain::sale::CardBrand;
use serde_json::{Value, json};
use tokio_postgres::NoTls;

use super::{PLANS, PlanFixture, assert_errors, mdr_form, ok, path};
use crate::support::{Client, Company, Sale, TestApp};

/// The instants of sales in October, as days before the tests' today, 2026-11-21, and minutes after noon in Brasília.
const OCTOBER: [(i64, i64); 6] = [
    (51, -720), // the first minute
    (51, 0),
    (40, 3),
    (30, 0),
    (21, 0),
    (21, 719), // the last minute, which is in November in UTC
];
/// The last minute of September, the first of November, and yesterday.
const OTHER_MONTHS: [(i64, i64); 3] = [(52, 719), (20, -720), (1, 0)];

/// A sale's row in the read model.
struct SoldRow {
    /// In centavos.
    amount: i64,
    installments: i64,
    /// The fees that it was charged, in centavos.
    charged: i64,
}

/// The terms of a plan that has the same fees for each card sale.
#[derive(Clone, Copy)]
struct TermsOfAllSales {
    /// The percentage fee, in hundredths of a percent.
    rate: i64,
    /// The fee of an advance of 30 days, in hundredths of a percent.
    advance: i64,
    settlement_days: i64,
    /// Centavos for each sale.
    flat_rate: i64,
}

/// The quotient, with a half rounded up.
fn rounded(numerator: i128, denominator: i128) -> i64 {
    i64::try_from((2 * numerator + denominator) / (2 * denominator)).expect("cents")
}

/// Equal installments; the first one also has the remainder of the division.
fn split(amount: i64, count: i64) -> Vec<i64> {
    let each = amount / count;
    let mut installments = vec![each; usize::try_from(count).expect("a count")];
    installments[0] += amount - each * count;
    installments
}

impl TermsOfAllSales {
    /// Two figures: the percentage fee together with the fees of the advances, and the flat rate.
    fn fees(self, sale: &SoldRow) -> (i64, i64) {
        let rate = rounded(i128::from(sale.amount) * i128::from(self.rate), 10_000);
        let installments = split(sale.amount, sale.installments)
            .into_iter()
            .zip(split(rate, sale.installments));
        let advance: i64 = (1..)
            .zip(installments)
            .map(|(number, (gross, fee))| {
                let days = (30 * number - self.settlement_days).max(0);
                let interest = i128::from(gross - fee) * i128::from(self.advance) * i128::from(days);
                rounded(interest, 30 * 10_000)
            })
            .sum();
        (rate + advance, self.flat_rate)
    }

    /// The sums of both results of `fees`.
    fn sum(self, sales: &[SoldRow]) -> (i64, i64) {
        sales
            .iter()
            .map(|sale| self.fees(sale))
            .fold((0, 0), |sum, fees| (sum.0 + fees.0, sum.1 + fees.1))
    }
}

/// The terms under which the companies of the tests sold in October: 5 %, and installments are not advanced.
const COMPANY_TERMS: TermsOfAllSales = TermsOfAllSales {
    rate: 500,
    advance: 0,
    settlement_days: 1,
    flat_rate: 0,
};

/// Six sales in October and three in other months. Each has a different amount; `extra` is added to every one.
async fn sell(app: &TestApp, company: &Company, extra: i64) {
    for (index, (days, minutes)) in OCTOBER.into_iter().chain(OTHER_MONTHS).enumerate() {
        let index = i64::try_from(index).expect("an index");
        let mut sale = Sale::card()
            .amount(10_001 + 977 * index + extra)
            .days_ago(days)
            .minutes_past_noon(minutes);
        sale.facts.installments = u8::try_from(1 + index % 6).expect("a count");
        if index % 2 == 1 {
            sale = sale.brand(CardBrand::Elo);
        }
        app.capture(company, &sale).await;
    }
}

/// The companies' sales of October whose fees the platform keeps.
async fn october(app: &TestApp, companies: &[&Company]) -> Vec<SoldRow> {
    let client = app.app.state.pool.get().await.expect("a connection");
    let ids: Vec<_> = companies.iter().map(|company| company.id.uuid()).collect();
    let rows = client
        .query(
            "SELECT amount, installments::int8, amount - net, status FROM sale
              WHERE business_id = ANY ($1) AND captured_at AT TIME ZONE 'America/Sao_Paulo' >= '2026-10-01'
                AND captured_at AT TIME ZONE 'America/Sao_Paulo' < '2026-11-01'",
            &[&ids],
        )
        .await
        .expect("rows");
    let kept = |row: &&tokio_postgres::Row| ["succeeded", "dispute", "charged_back"].contains(&row.get(3));
    rows.iter()
        .filter(kept)
        .map(|row| SoldRow {
            amount: row.get(0),
            installments: row.get(1),
            charged: row.get(2),
        })
        .collect()
}

/// A pool of one connection, apart from the program's pool.
fn single_connection_pool(config: tokio_postgres::Config) -> Pool {
    Pool::builder(Manager::new(config, NoTls))
        .max_size(1)
        .build()
        .expect("a pool")
}

/// Requests an impact, runs the job, and returns the impact.
async fn compute_impact(app: &TestApp, staff: &Client, path: &str, form: Value) -> Value {
    let started = staff.post(path, form).await;
    assert_eq!(
        (started.status, started.text("/status")),
        (202, "running"),
        "{}",
        started.body
    );
    app.app.impacts().run().await.expect("the job runs");
    ok(staff
        .get(&format!("{PLANS}/impacts/{}", started.text("/id")))
        .await)
}

fn integer(impact: &Value, pointer: &str) -> i64 {
    impact
        .pointer(pointer)
        .and_then(Value::as_i64)
        .unwrap_or_else(|| panic!("{pointer} in {impact}"))
}

/// Line 0 of an impact has the percentage fees with those of the advances, and line 3 the flat rates.
#[track_caller]
fn assert_figures(impact: &Value, sales: &[SoldRow], before: TermsOfAllSales, after: TermsOfAllSales) {
    let (current, proposed) = (before.sum(sales), after.sum(sales));
    assert_eq!(impact["status"], "done");
    assert_eq!(
        integer(impact, "/count"),
        i64::try_from(sales.len()).expect("a count")
    );
    assert_eq!(
        integer(impact, "/amount"),
        sales.iter().map(|sale| sale.amount).sum::<i64>()
    );
    assert_eq!(
        integer(impact, "/charged"),
        sales.iter().map(|sale| sale.charged).sum::<i64>()
    );
    assert_eq!(integer(impact, "/lines/0/current"), current.0);
    assert_eq!(integer(impact, "/lines/0/proposed"), proposed.0);
    assert_eq!(integer(impact, "/lines/3/current"), current.1);
    assert_eq!(integer(impact, "/lines/3/proposed"), proposed.1);
    let difference = proposed.0 + proposed.1 - current.0 - current.1;
    assert_ne!(difference, 0);
    assert_eq!(integer(impact, "/platform_difference"), difference);
    assert_eq!(integer(impact, "/sellers_difference"), -difference);
    assert_eq!(integer(impact, "/unpriced"), 0);
}

struct ImpactFixture {
    plans: PlanFixture,
    others: Vec<Company>,
}

impl ImpactFixture {
    /// Three companies that sold in October, each under its own plan.
    async fn open() -> Self {
        let plans = PlanFixture::open().await;
        let others = vec![plans.app.company("Café").await, plans.app.company("Banca").await];
        for (number, company) in [&plans.company, &others[0], &others[1]].into_iter().enumerate() {
            sell(&plans.app, company, 13 * i64::try_from(number).expect("a number")).await;
        }
        // Three companies with nine sales each.
        plans.app.until_count("SELECT count(*) FROM sale", 27).await;
        Self { plans, others }
    }

    async fn assign(&self, company: &Company, plan: &Value) {
        let path = format!("/api/admin/businesses/{}/plans", company.id);
        let choice = json!({ "plans": [{ "solution_id": 1, "plan_id": plan }] });
        ok(self.plans.staff.post(&path, choice).await);
    }

    async fn execute(&self, sql: &str) {
        self.plans.app.execute(sql).await;
    }
}

#[tokio::test]
async fn the_impact_on_assigned_companies_is_the_sum_of_their_sales() {
    let fixture = ImpactFixture::open().await;
    let app = &fixture.plans.app;
    let plan = fixture.plans.created(mdr_form("Loja", "4", "1.5")).await;
    let (first, second) = (&fixture.plans.company, &fixture.others[0]);
    fixture.assign(first, &plan["id"]).await;
    fixture.assign(second, &plan["id"]).await;
    // The fees of a canceled or refunded sale were given back, those of a disputed or charged back one were not. The
    // amounts are those of the first company's first four sales in October.
    for (status, amount) in [
        ("canceled", 10_001),
        ("refunded", 10_978),
        ("dispute", 11_955),
        ("charged_back", 12_932),
    ] {
        fixture
            .execute(&format!(
                "UPDATE sale SET status = '{status}' WHERE amount = {amount}"
            ))
            .await;
    }
    let mut form = mdr_form("Loja", "3.79", "2.19");
    form["flat_rate"] = json!(35);
    let impact_path = format!("{}/impact", path(&plan));
    let impact = compute_impact(app, &fixture.plans.staff, &impact_path, form).await;
    let sales = october(app, &[first, second]).await;
    // Two companies with six sales each, less the canceled and the refunded one.
    assert_eq!(sales.len(), 10);
    let before = TermsOfAllSales {
        rate: 400,
        advance: 150,
        ..COMPANY_TERMS
    };
    let after = TermsOfAllSales {
        rate: 379,
        advance: 219,
        flat_rate: 35,
        ..COMPANY_TERMS
    };
    assert_figures(&impact, &sales, before, after);
    // The fees were charged under the terms of October.
    assert_eq!(integer(&impact, "/charged"), COMPANY_TERMS.sum(&sales).0);
    assert_eq!(
        (&impact["month"], &impact["companies"]),
        (&json!("2026-10-01"), &json!(2))
    );
    assert_eq!(
        (&impact["companies_total"], &impact["companies_done"]),
        (&json!(2), &json!(2))
    );
    let unchanged = ok(fixture.plans.staff.get(&path(&plan)).await);
    assert_eq!(unchanged, plan_with_companies(&plan, 2));
}

fn plan_with_companies(plan: &Value, companies: i64) -> Value {
    let mut plan = plan.clone();
    plan["companies"] = json!(companies);
    plan
}

#[tokio::test]
async fn a_default_plan_affects_the_companies_without_their_own() {
    let fixture = ImpactFixture::open().await;
    let app = &fixture.plans.app;
    let mut default_plan = mdr_form("Padrão", "4.49", "0");
    default_plan["default"] = json!(true);
    let default_plan = fixture.plans.created(default_plan).await;
    let own = fixture.plans.created(mdr_form("Especial", "2.5", "0")).await;
    let (assigned, fallback) = (&fixture.plans.company, &fixture.others[0]);
    fixture.assign(assigned, &own["id"]).await;
    fixture.assign(fallback, &Value::Null).await;
    let staff = &fixture.plans.staff;
    let before = TermsOfAllSales {
        rate: 449,
        ..COMPANY_TERMS
    };
    let after = TermsOfAllSales {
        rate: 333,
        ..COMPANY_TERMS
    };
    // The default changes.
    let change = mdr_form("Padrão", "3.33", "0");
    let impact = compute_impact(
        app,
        staff,
        &format!("{}/impact", path(&default_plan)),
        change.clone(),
    )
    .await;
    let sales = october(app, &[fallback]).await;
    assert_figures(&impact, &sales, before, after);
    // A new plan becomes the default.
    let mut new = change.clone();
    new["default"] = json!(true);
    let impact = compute_impact(app, staff, &format!("{PLANS}/impact"), new.clone()).await;
    assert_figures(&impact, &sales, before, after);
    // The assigned company's plan becomes the default. Until then that company sells under this plan, and the fallback
    // company under the old default.
    let impact = compute_impact(app, staff, &format!("{}/impact", path(&own)), new).await;
    let both = october(app, &[fallback, assigned]).await;
    let before = TermsOfAllSales {
        rate: 449,
        ..COMPANY_TERMS
    }
    .sum(&sales)
    .0 + TermsOfAllSales {
        rate: 250,
        ..COMPANY_TERMS
    }
    .sum(&october(app, &[assigned]).await)
    .0;
    assert_eq!(integer(&impact, "/current"), before);
    assert_eq!(integer(&impact, "/proposed"), after.sum(&both).0);
    assert_eq!(impact["companies_total"], 2);
    // A new plan that is not the default affects no company.
    let impact = compute_impact(app, staff, &format!("{PLANS}/impact"), change).await;
    assert_eq!(
        (&impact["companies_total"], &impact["count"]),
        (&json!(0), &json!(0))
    );
}

#[tokio::test]
async fn only_users_who_may_change_plans_see_an_impact_and_forms_are_checked() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    let impact = format!("{}/impact", path(&plan));
    let refused = fixture
        .staff
        .post(&impact, json!({ "settlement_days": 100, "flat_rate": -1 }))
        .await;
    let errors = json!({ "settlement_days": ["Deve ser de 0 a 99."], "flat_rate": ["Valor inválido"] });
    assert_errors(&refused, errors);
    let missing = fixture.staff.post(&format!("{PLANS}/impact"), json!({})).await;
    assert_eq!(missing.status, 422);
    let unknown = format!("{PLANS}/pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06/impact");
    assert_eq!(fixture.staff.post(&unknown, json!({})).await.status, 404);
    for unknown in ["x", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c"] {
        let answer = fixture.staff.get(&format!("{PLANS}/impacts/{unknown}")).await;
        assert_eq!(answer.status, 404);
    }
    let sac = fixture.app.admin(&[AdminRole::Sac]).await;
    let sac = fixture.app.sign_in(&sac).await;
    assert_eq!(sac.post(&impact, json!({})).await.status, 403);
    assert_eq!(fixture.app.count("SELECT count(*) FROM plan_impact").await, 0);
    let started = fixture.staff.post(&impact, json!({ "flat_rate": 10 })).await;
    let started = format!("{PLANS}/impacts/{}", started.text("/id"));
    assert_eq!(fixture.staff.get(&started).await.status, 200);
    assert_eq!(sac.get(&started).await.status, 403);
}
