//! A separate ledger for each test: a fresh database, a fixed plan, and commands recorded through the real writer.
//!
//! Builders hold the defaults, so that a test names only the values that matter to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{NaiveDate, TimeDelta};
use deadpool_postgres::Pool;
use ledger_domain::business::{
    BusinessCommand, CaptureSale, CompanyStatus, ContextRequest, CreateSale, FailSale, SaleContext,
    SettleReceivables, VoidSale,
};
use ledger_domain::calendar::{Date, Instant, days_after, start_of};
use ledger_domain::fees::{MdrFees, PixFee, PlanKind, PlanTerms};
use ledger_domain::reserve::ReserveTerms;
use ledger_domain::sale::{
    CardBrand, Initiator, PaymentNames, PaymentType, Provider, SaleFacts, SaleTerminal, Solution,
};
use ledger_domain::{BusinessId, Cents, PlanId, Rate, SaleId, TerminalId, TransferId};
use ledger_store::{
    Actor, Clock, Connector, Job, LedgerPosition, Metadata, Outcome, ReferenceData, RememberedContexts,
    Submission, Writer, WriterOptions, WriterTask, log,
};
use projections::{FollowerOptions, Following, Freshness, ReadModelGroup};
use uuid::Uuid;

use crate::support::TickingClock;
use crate::support::commands::submission;
use crate::support::database::{Database, PARTITION_SIZE};

pub struct Ledger {
    pub pool: Pool,
    pub connector: Connector,
    pub writer: Writer,
    // The writer ends when this is dropped.
    _task: WriterTask,
    clock: Arc<TickingClock>,
    next_sale: AtomicU32,
    next_transfer: AtomicU32,
    // The last field, so that it is dropped after its users.
    database: Database,
}

/// Reference data in which all businesses have this plan and are active companies.
struct OnePlanForAll(Arc<PlanTerms>);

#[async_trait]
impl ReferenceData for OnePlanForAll {
    fn remembered(&self, _: &[ContextRequest]) -> Option<RememberedContexts> {
        None
    }

    async fn contexts(
        &self,
        _client: &tokio_postgres::Client,
        requests: &[ContextRequest],
    ) -> Result<Vec<SaleContext>, tokio_postgres::Error> {
        let context = |request: &ContextRequest| SaleContext {
            company_status: CompanyStatus::Active,
            terms: Some(self.0.clone()),
            ..SaleContext::unknown(request.business_id, request.terms_at)
        };
        Ok(requests.iter().map(context).collect())
    }
}

/// 23 November 2026 in Brasília, a Monday.
pub fn monday() -> Date {
    NaiveDate::from_ymd_opt(2026, 11, 23).expect("a date")
}

/// The instant this many minutes after 10:00 on that Monday.
pub fn minute(minutes: i64) -> Instant {
    start_of(monday()) + TimeDelta::hours(10) + TimeDelta::minutes(minutes)
}

/// The date this many days after that Monday.
pub fn day(days: u64) -> Date {
    days_after(monday(), days)
}

pub fn cents(cents: i64) -> Cents {
    Cents::new(cents)
}

pub fn business(number: u128) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(number))
}

pub fn terminal(number: u128) -> SaleTerminal {
    SaleTerminal {
        id: TerminalId::from_uuid(Uuid::from_u128(number)),
        serial_number: format!("PB{number:06}"),
    }
}

/// MDR without advance. Installment k falls due 30k days after the capture, pix and debit one day after it, or on the
/// next business day.
pub fn plan() -> PlanTerms {
    let rate = |percent: &str| Rate::parse(percent).expect("a rate");
    let fees = MdrFees {
        debit: rate("1.5"),
        credit_1: rate("2.5"),
        credit_2to6: rate("3.1"),
        credit_7to12: rate("3.7"),
        credit_13to21: rate("4.2"),
        advance: rate("0"),
    };
    PlanTerms {
        plan_id: PlanId::from_uuid(Uuid::from_u128(5)),
        name: "Plano Loja".to_owned(),
        version: 2,
        solution: Solution::CardMachine,
        kind: PlanKind::Mdr {
            visamaster: fees.clone(),
            others: fees,
        },
        percentage_rate: rate("0.2"),
        flat_rate: Cents::new(10),
        settlement_days: 1,
        boleto_fee: Cents::new(199),
        pix_fee: PixFee::Percent(rate("0.99")),
    }
}

/// A card sale of R$ 300,00 in three installments. Its net under `plan()` is R$ 290,02: 300,00 less 9,30 (3,1 %), 0,58
/// (0,2 % of the rest) and 0,10.
pub fn card(sale_id: SaleId) -> SaleFacts {
    SaleFacts {
        sale_id,
        provider: Provider::Zoop,
        external_id: format!("ext-{}", sale_id.uuid()),
        solution: Solution::CardMachine,
        payment_type: PaymentType::Credit,
        card_brand: Some(CardBrand::Visa),
        installments: 3,
        amount: Cents::new(300_00),
        terminal: Some(terminal(1)),
        payment_link_code: None,
        card_last_four: Some("4242".to_owned()),
        authorization_code: Some("A1B2C3".to_owned()),
        names: PaymentNames::default(),
    }
}

/// A PIX sale of R$ 50,00. Its net under `plan()` is R$ 49,30: 50,00 less 0,50 (0,99 %), 0,10 (0,2 % of the rest) and
/// 0,10.
pub fn pix(sale_id: SaleId) -> SaleFacts {
    SaleFacts {
        payment_type: PaymentType::Pix,
        card_brand: None,
        installments: 1,
        amount: Cents::new(50_00),
        terminal: None,
        card_last_four: None,
        authorization_code: None,
        ..card(sale_id)
    }
}

impl Ledger {
    pub async fn create() -> Self {
        Self::with_plan(plan()).await
    }

    pub async fn with_plan(terms: PlanTerms) -> Self {
        Self::on(Database::create().await, Arc::default(), terms).await
    }

    /// The same after its writer ended and `change` was made to the database.
    pub async fn restarted_after(self, change: impl AsyncFnOnce(&mut tokio_postgres::Client)) -> Self {
        let Self {
            writer,
            _task,
            clock,
            next_sale,
            next_transfer,
            database,
            ..
        } = self;
        writer.shutdown();
        _task.join().await;
        change(&mut database.client().await).await;
        Self {
            next_sale,
            next_transfer,
            ..Self::on(database, clock, plan()).await
        }
    }

    async fn on(database: Database, clock: Arc<TickingClock>, terms: PlanTerms) -> Self {
        let mut options = WriterOptions::new(database.connector(), "test");
        options.clock = Arc::clone(&clock) as _;
        options.partition_size = PARTITION_SIZE;
        let (writer, _task) = Writer::start(options, Arc::new(OnePlanForAll(Arc::new(terms))))
            .await
            .expect("a writer");
        Self {
            pool: database.pool.clone(),
            connector: database.connector(),
            writer,
            _task,
            clock,
            next_sale: AtomicU32::new(1),
            next_transfer: AtomicU32::new(1),
            database,
        }
    }

    /// Later than everything recorded so far, and earlier than the next event.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    pub fn new_sale(&self) -> SaleId {
        let number = self.next_sale.fetch_add(1, Ordering::Relaxed);
        SaleId::from_uuid(Uuid::from_u128(0xa000_0000 + u128::from(number)))
    }

    pub fn new_transfer(&self) -> TransferId {
        let number = self.next_transfer.fetch_add(1, Ordering::Relaxed);
        TransferId::from_uuid(Uuid::from_u128(0xc000_0000 + u128::from(number)))
    }

    /// The writer's answer to the command of this actor.
    pub async fn submit_as(
        &self,
        business_id: BusinessId,
        command: BusinessCommand,
        actor: Actor,
    ) -> Outcome {
        let submission = Submission {
            metadata: Metadata::by(actor),
            ..submission(business_id, command)
        };
        self.writer.submit(submission).await
    }

    async fn submit(&self, business_id: BusinessId, command: BusinessCommand) {
        match self
            .submit_as(business_id, command, Actor::Job(Job::Installation))
            .await
        {
            Outcome::Recorded(_) => {}
            other => panic!("not recorded: {other:?}"),
        }
    }

    pub async fn create_sale(&self, business: BusinessId, sale: SaleFacts, occurred_at: Instant) {
        let context = SaleContext::unknown(business, occurred_at);
        self.submit(
            business,
            BusinessCommand::CreateSale(CreateSale {
                sale,
                occurred_at,
                context,
            }),
        )
        .await;
    }

    pub async fn capture(&self, business: BusinessId, sale: SaleFacts, occurred_at: Instant) {
        let context = SaleContext::unknown(business, occurred_at);
        self.submit(
            business,
            BusinessCommand::CaptureSale(CaptureSale {
                sale,
                occurred_at,
                context,
            }),
        )
        .await;
    }

    pub async fn fail(&self, business: BusinessId, sale: SaleFacts, occurred_at: Instant, reason: &str) {
        let context = SaleContext::unknown(business, occurred_at);
        let reason = Some(reason.to_owned());
        self.submit(
            business,
            BusinessCommand::FailSale(FailSale {
                sale,
                occurred_at,
                reason,
                context,
            }),
        )
        .await;
    }

    pub async fn void(&self, business: BusinessId, sale_id: SaleId, occurred_at: Instant) {
        let reason = Some("expirou".to_owned());
        self.submit(
            business,
            BusinessCommand::VoidSale(VoidSale {
                names: PaymentNames::default(),
                sale_id,
                initiator: Initiator::Platform,
                occurred_at,
                reason,
            }),
        )
        .await;
    }

    /// Settles all installments that the read model lists as due, as the settlement job does.
    pub async fn settle_due(&self, today: Date) {
        self.settle_due_reserving(today, None).await;
    }

    pub async fn settle_due_reserving(&self, today: Date, reserve: Option<ReserveTerms>) {
        loop {
            self.until_caught_up().await;
            let due =
                projections::receivables::due::due_installments(&**self.client().await, today, None, 100)
                    .await
                    .expect("what is due");
            if due.days.is_empty() {
                return;
            }
            for (business, due_date, installments) in due.days {
                let command = SettleReceivables {
                    due_date,
                    today,
                    installments,
                    reserve: reserve.clone(),
                };
                self.submit(business, BusinessCommand::SettleReceivables(command))
                    .await;
            }
        }
    }

    /// A PIX sale that is settled, with a tenth of it held until the day after.
    pub async fn reserved_sale(&self, business: BusinessId) -> SaleId {
        let sale = pix(self.new_sale());
        let sale_id = sale.sale_id;
        self.capture(business, sale, minute(0)).await;
        let terms = ReserveTerms {
            percentage: Rate::parse("10").expect("a rate"),
            maximum: None,
            release_on: day(11),
        };
        self.settle_due_reserving(day(10), Some(terms)).await;
        sale_id
    }

    /// A PIX sale that is settled.
    pub async fn settled_sale(&self, business: BusinessId) -> SaleId {
        let sale = pix(self.new_sale());
        let sale_id = sale.sale_id;
        self.capture(business, sale, minute(0)).await;
        self.settle_due(day(10)).await;
        sale_id
    }

    pub async fn client(&self) -> deadpool_postgres::Client {
        self.pool.get().await.expect("a connection")
    }

    /// A connection that no other caller has used.
    pub async fn database_client(&self) -> tokio_postgres::Client {
        self.database.client().await
    }

    pub async fn position(&self) -> LedgerPosition {
        log::shard_positions(&**self.client().await)
            .await
            .expect("positions")
    }

    pub fn follow(&self) -> Following {
        let options = FollowerOptions {
            poll: Duration::from_millis(20),
            ..FollowerOptions::default()
        };
        projections::follow_log(self.pool.clone(), Some(&self.writer.recorded()), options)
    }

    /// The followers of a process without a writer: they read the log alone.
    pub fn follow_log_only(&self) -> Following {
        let options = FollowerOptions {
            poll: Duration::from_millis(20),
            ..FollowerOptions::default()
        };
        projections::follow_log(self.pool.clone(), None, options)
    }

    /// Waits until every read model has read all recorded events.
    pub async fn until_caught_up(&self) {
        self.until_reached(&self.position().await).await;
    }

    /// Waits until every read model has read the events up to the position.
    pub async fn until_reached(&self, position: &LedgerPosition) {
        let wait = Duration::from_secs(20);
        let waited = projections::wait_for(&self.pool, &ReadModelGroup::ALL, position, wait).await;
        assert_eq!(
            waited.expect("checkpoints"),
            Freshness::Fresh,
            "the followers did not catch up"
        );
    }

    pub async fn execute(&self, sql: &str) {
        self.client()
            .await
            .batch_execute(sql)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }
}
