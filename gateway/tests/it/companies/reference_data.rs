//! The cache of the reference data of decisions.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use chrono::{DateTime, TimeDelta, Utc};
use gateway_platform::companies::{
    Approval, CompanyProfile, NewBusiness, NewReceivingPlan, business_create, decide_at_installation,
    receiving_plan_create,
};
use gateway_platform::holidays::holiday_add;
use gateway_platform::plans::{NewPlan, assignment_add, default_plan_set, plan_create, plan_version_add};
use gateway_platform::reference_data::PostgresReferenceData;
use gateway_platform::terminals::{NewTerminal, terminal_create, terminal_set_owner};
use gateway_platform::validity::Since;
use ledger_domain::business::{CompanyStatus, ContextRequest, SaleContext};
use ledger_domain::calendar::Date;
use ledger_domain::documents::Document;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, Cents, PlanId, TerminalId};
use ledger_store::ReferenceData;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio_postgres::Client;
use uuid::Uuid;

use crate::support::database::Database;
use crate::support::plan;

const SOLUTION: Solution = Solution::CardMachine;

fn company(n: u128) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(n))
}

fn terminal(n: u128) -> TerminalId {
    TerminalId::from_uuid(Uuid::from_u128(n))
}

fn plan_id(n: u128) -> PlanId {
    PlanId::from_uuid(Uuid::from_u128(n))
}

/// Companies 1 to 5, each with the terminal of the same number. All but the first have plan 1; plan 2 is the default.
struct ReferenceDataFixture {
    client: Client,
    _database: Database,
}

impl ReferenceDataFixture {
    async fn open() -> Self {
        let database = Database::create().await;
        let client = database.client().await;
        let receiving = NewReceivingPlan {
            id: Uuid::from_u128(1),
            description: "Padrão".to_owned(),
            flat_rate: Cents::ZERO,
            is_default: true,
            active: true,
        };
        receiving_plan_create(&client, &receiving).await.expect("a plan");
        for n in 1..=2 {
            let new = NewPlan {
                id: plan_id(n),
                description: format!("Plano {n}"),
                solution: SOLUTION,
                active: true,
            };
            plan_create(&client, &new).await.expect("a plan");
            plan_version_add(&client, &plan(plan_id(n)), Since::Now)
                .await
                .expect("terms");
        }
        default_plan_set(&client, SOLUTION, plan_id(2), Since::Now)
            .await
            .expect("a default");
        let fixture = Self {
            client,
            _database: database,
        };
        for n in 1..=5 {
            fixture.company(n).await;
            if n > 1 {
                assignment_add(
                    &fixture.client,
                    company(n),
                    SOLUTION,
                    Some(plan_id(1)),
                    Since::Now,
                )
                .await
                .expect("a plan");
            }
        }
        fixture
    }

    async fn company(&self, n: u128) {
        let base = format!("{n:08}0001");
        let document = (0..100).find_map(|check| Document::parse(&format!("{base}{check:02}")).ok());
        let new = NewBusiness {
            id: company(n),
            name: format!("Loja {n}"),
            document: document.expect("a CNPJ"),
            statement_descriptor: None,
            receiving_plan_id: Uuid::from_u128(1),
            profile: CompanyProfile::default(),
            created_at: Since::Now,
        };
        business_create(&self.client, &new).await.expect("a company");
        let decision = (Uuid::from_u128(n), Approval::Enabled, DateTime::UNIX_EPOCH);
        decide_at_installation(&self.client, company(n), decision)
            .await
            .expect("a decision");
        let new = NewTerminal {
            id: terminal(n),
            serial_number: format!("PB{n:04}"),
            name: None,
            created_at: Since::Now,
        };
        terminal_create(&self.client, &new).await.expect("a terminal");
        self.set_terminal_owner(n, Some(company(n))).await;
    }

    /// Gives the terminal with this number another owner, or none.
    async fn set_terminal_owner(&self, n: u128, owner: Option<BusinessId>) {
        terminal_set_owner(&self.client, terminal(n), owner, Since::Now)
            .await
            .expect("an owner");
    }

    async fn execute(&self, sql: &str) {
        self.client.batch_execute(sql).await.expect(sql);
    }

    async fn number(&self, sql: &str) -> i64 {
        self.client.query_one(sql, &[]).await.expect(sql).get(0)
    }

    async fn contexts(&self, cache: &PostgresReferenceData, requests: &[ContextRequest]) -> Vec<SaleContext> {
        cache.contexts(&self.client, requests).await.expect("contexts")
    }
}

/// Reference data with a cache of this number of companies and of terminals.
fn keeping(most: usize) -> PostgresReferenceData {
    PostgresReferenceData::with_limit(Arc::new(AtomicI64::new(0)), most)
}

/// Asks for the context of a sale one hour ahead, when all recorded changes are in force.
fn request(company_number: u128, terminal_number: u128) -> ContextRequest {
    let ahead: DateTime<Utc> = Utc::now() + TimeDelta::hours(1);
    ContextRequest {
        business_id: company(company_number),
        solution: SOLUTION,
        terminal_id: Some(terminal(terminal_number)),
        occurred_at: ahead,
        terms_at: ahead,
    }
}

/// Asks for the context of a sale at the company's own terminal.
fn own(n: u128) -> ContextRequest {
    request(n, n)
}

fn terms(context: &SaleContext) -> &Arc<PlanTerms> {
    context.terms.as_ref().expect("terms")
}

#[tokio::test]
async fn cached_companies_are_answered_without_a_read_and_with_the_version_they_were_read_at() {
    let fixture = ReferenceDataFixture::open().await;
    let cache = keeping(100);
    assert!(cache.remembered(&[own(1)]).is_none(), "nothing was read");
    let read = fixture.contexts(&cache, &[own(1), own(2)]).await;
    let version = fixture.number("SELECT version FROM reference_version").await;
    fixture.set_terminal_owner(2, Some(company(3))).await;
    let remembered = cache.remembered(&[own(2)]).expect("cached");
    assert_eq!(remembered.version, version, "the change of owner is not read yet");
    assert_eq!(remembered.contexts[0].terminal_owner, read[1].terminal_owner);
    assert!(
        cache.remembered(&[own(2), own(3)]).is_none(),
        "company 3 was not read"
    );
    let read = fixture.contexts(&cache, &[own(2)]).await;
    let remembered = cache.remembered(&[own(2)]).expect("cached");
    assert_eq!(remembered.version, version + 1);
    assert_eq!(read[0].terminal_owner, Some(company(3)));
    assert_eq!(remembered.contexts[0].terminal_owner, Some(company(3)));
}

#[tokio::test]
async fn a_batch_larger_than_the_cache_gets_every_company_and_every_terminals_owner() {
    let fixture = ReferenceDataFixture::open().await;
    for most in [0, 1, 2, 100] {
        let cache = keeping(most);
        // Some companies are cached before the batch.
        fixture.contexts(&cache, &[own(1), own(2)]).await;
        let requests: Vec<_> = (1..=5)
            .map(own)
            .chain((1..=5).map(|n| request(n, 6 - n)))
            .collect();
        for (context, request) in fixture.contexts(&cache, &requests).await.iter().zip(&requests) {
            assert_eq!(
                context.company_status,
                CompanyStatus::Active,
                "keeping {most}: {request:?}"
            );
            assert!(context.terms.is_some(), "keeping {most}: {request:?}");
            let owner = request.terminal_id.map(|id| BusinessId::from_uuid(id.uuid()));
            assert_eq!(context.terminal_owner, owner, "keeping {most}: {request:?}");
        }
    }
}

#[tokio::test]
async fn a_missing_row_is_cached_and_seen_once_it_exists() {
    let fixture = ReferenceDataFixture::open().await;
    let cache = keeping(1);
    for _ in 0..2 {
        let unknown = &fixture.contexts(&cache, &[own(6)]).await[0];
        assert_eq!(
            (unknown.company_status, unknown.terminal_owner),
            (CompanyStatus::Unknown, None)
        );
        assert!(cache.remembered(&[own(6)]).is_some(), "the missing row is cached");
    }
    fixture.company(6).await;
    let known = &fixture.contexts(&cache, &[own(6)]).await[0];
    assert_eq!(
        (known.company_status, known.terminal_owner),
        (CompanyStatus::Active, Some(company(6)))
    );
}

#[tokio::test]
async fn a_plan_whose_version_in_force_is_unreadable_has_no_terms() {
    let fixture = ReferenceDataFixture::open().await;
    let id = plan_id(1).uuid();
    let version = format!("INSERT INTO plan_version (plan_id, version, terms) VALUES ('{id}', 2, '{{}}')");
    fixture.execute(&version).await;
    let contexts = fixture.contexts(&keeping(100), &[own(1), own(2)]).await;
    assert!(contexts[0].terms.is_some(), "another plan");
    assert_eq!(contexts[1].terms, None, "version 1 is no longer in force");
}

#[tokio::test]
async fn a_change_of_a_company_or_a_terminal_keeps_cached_plans_and_calendar() {
    let fixture = ReferenceDataFixture::open().await;
    let cache = keeping(100);
    let before = fixture.contexts(&cache, &[own(2), own(3)]).await;
    fixture
        .execute("UPDATE business SET approval = 'denied' WHERE name = 'Loja 2'")
        .await;
    fixture.set_terminal_owner(3, Some(company(4))).await;
    let after = fixture.contexts(&cache, &[own(2), own(3)]).await;
    assert_eq!(
        (after[0].company_status, after[1].company_status),
        (CompanyStatus::Denied, CompanyStatus::Active)
    );
    assert_eq!(after[1].terminal_owner, Some(company(4)));
    for (before, after) in before.iter().zip(&after) {
        assert!(
            Arc::ptr_eq(terms(before), terms(after)),
            "the terms were read again"
        );
        assert!(
            Arc::ptr_eq(&before.calendar, &after.calendar),
            "the calendar was read again"
        );
    }
}

#[tokio::test]
async fn changes_that_are_no_longer_listed_clear_the_cache() {
    let fixture = ReferenceDataFixture::open().await;
    let cache = keeping(100);
    let before = fixture.contexts(&cache, &[own(2)]).await;
    fixture
        .execute("UPDATE business SET approval = 'denied'; DELETE FROM reference_change")
        .await;
    let after = fixture.contexts(&cache, &[own(2)]).await;
    assert_eq!(after[0].company_status, CompanyStatus::Denied);
    assert!(!Arc::ptr_eq(terms(&before[0]), terms(&after[0])));
}

#[tokio::test]
async fn a_statement_that_changes_many_rows_is_one_change_that_names_each_row() {
    let fixture = ReferenceDataFixture::open().await;
    let cache = keeping(100);
    let before = fixture.contexts(&cache, &[own(2), own(3)]).await;
    let version = fixture.number("SELECT version FROM reference_version").await;
    // A statement that changes no row is no change.
    fixture
        .execute("UPDATE business SET approval = 'denied'; UPDATE terminal SET name = 'Caixa' WHERE false")
        .await;
    assert_eq!(
        fixture.number("SELECT version FROM reference_version").await,
        version + 1
    );
    let changed_companies = "SELECT count(*) FROM reference_change WHERE kind = 'company'
                    AND version = (SELECT version FROM reference_version)";
    assert_eq!(fixture.number(changed_companies).await, 5);
    let after = fixture.contexts(&cache, &[own(2), own(3)]).await;
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(after.company_status, CompanyStatus::Denied);
        assert!(
            Arc::ptr_eq(terms(before), terms(after)),
            "the terms were read again"
        );
    }
}

#[tokio::test]
async fn a_statement_that_changes_more_than_a_thousand_rows_clears_the_cache() {
    let fixture = ReferenceDataFixture::open().await;
    let cache = keeping(100);
    let before = fixture.contexts(&cache, &[own(2)]).await;
    fixture
        .execute(
            "INSERT INTO terminal (id, serial_number)
             SELECT gen_random_uuid(), 'bulk-' || n FROM generate_series(1, 1001) AS n",
        )
        .await;
    let all = "SELECT count(*) FROM reference_change WHERE kind = 'all'
                  AND version = (SELECT version FROM reference_version)";
    assert_eq!(fixture.number(all).await, 1);
    let after = fixture.contexts(&cache, &[own(2)]).await;
    assert!(!Arc::ptr_eq(terms(&before[0]), terms(&after[0])));
}

/// Random changes and batches. A new cache has read nothing, so its contexts are those of the tables.
#[tokio::test]
async fn a_cache_of_any_size_agrees_with_the_tables_after_every_change() {
    let fixture = ReferenceDataFixture::open().await;
    let mut rng = StdRng::seed_from_u64(9);
    let caches = [keeping(0), keeping(2), keeping(100)];
    let mut versions = 1;
    for step in 0..120_u64 {
        let n = rng.random_range(1..=5);
        match rng.random_range(0..7) {
            0 => {
                let approval = ["enabled", "denied", "deleted"][rng.random_range(0..3)];
                let sql = format!("UPDATE business SET approval = '{approval}' WHERE name = 'Loja {n}'");
                fixture.execute(&sql).await;
            }
            1 => {
                fixture
                    .set_terminal_owner(n, (n > 2).then(|| company(6 - n)))
                    .await
            }
            2 => {
                // A company without its own plan has the default plan.
                let plan = [None, Some(plan_id(1)), Some(plan_id(2))][rng.random_range(0..3)];
                assignment_add(&fixture.client, company(n), SOLUTION, plan, Since::Now)
                    .await
                    .expect("a plan");
            }
            3 => {
                versions += 1;
                let version = PlanTerms {
                    version: versions,
                    ..plan(plan_id(1))
                };
                plan_version_add(&fixture.client, &version, Since::Now)
                    .await
                    .expect("terms");
            }
            4 => default_plan_set(
                &fixture.client,
                SOLUTION,
                plan_id(rng.random_range(1..=2)),
                Since::Now,
            )
            .await
            .expect("a default"),
            5 => {
                let first: Date = "2027-01-04".parse().expect("a date");
                let date = first + TimeDelta::days(i64::try_from(step).expect("a step"));
                holiday_add(&fixture.client, date, "Feriado local")
                    .await
                    .expect("a holiday");
            }
            _ => {}
        }
        let requests: Vec<_> = (0..rng.random_range(1..=6))
            .map(|_| request(rng.random_range(1..=6), rng.random_range(1..=6)))
            .collect();
        let fresh = fixture.contexts(&keeping(100), &requests).await;
        for cache in &caches {
            let found = fixture.contexts(cache, &requests).await;
            assert_eq!(format!("{found:?}"), format!("{fresh:?}"), "step {step}");
        }
    }
}
