//! Companies with a plan, users with roles, and sales recorded by the writer.

use gateway_identity::users::{NewAdmin, NewSeller, access_upsert, admin_insert, seller_insert};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use chrono::TimeDelta;
use gateway_identity::audit::Actor;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::sessions::passwords;
use gateway_platform::companies::{NewBusiness, NewReceivingPlan, business_create, receiving_plan_create};
use gateway_platform::plans::{NewPlan, assignment_add, plan_create, plan_version_add};
use gateway_platform::validity::{Since, installing};
use ledger_domain::business::{BusinessCommand, CaptureSale, CreateSale, FailSale, SaleContext};
use ledger_domain::calendar::{Instant, start_of};
use ledger_domain::documents::Document;
use ledger_domain::fees::{MdrFees, PixFee, PlanKind, PlanTerms};
use ledger_domain::ids::UserId;
use ledger_domain::sale::{CardBrand, PaymentType, Provider, SaleFacts, SaleTerminal, Solution};
use ledger_domain::{BusinessId, Cents, PlanId, Rate, SaleId, TerminalId};
use ledger_store::{Job, LedgerPosition, Metadata, Outcome, Submission};
use uuid::Uuid;

use super::TestApp;

pub const PASSWORD: &str = "senha-de-teste-1";

pub struct Company {
    pub id: BusinessId,
}

pub struct User {
    pub id: UserId,
    pub email: String,
    staff: bool,
}

impl User {
    pub const fn is_staff(&self) -> bool {
        self.staff
    }

    pub fn sign_in_path(&self) -> &'static str {
        if self.staff {
            "/api/auth/admin/sign-in"
        } else {
            "/api/auth/sign-in"
        }
    }
}

/// A sale to record: R$ 300,00 on a Visa in three installments, at noon of a day before today.
#[derive(Clone)]
pub struct Sale {
    pub facts: SaleFacts,
    pub days_ago: i64,
    pub minutes_past_noon: i64,
}

impl Sale {
    pub fn card() -> Self {
        let sale_id = SaleId::from_uuid(Uuid::now_v7());
        let facts = SaleFacts {
            sale_id,
            provider: Provider::Zoop,
            external_id: format!("ext-{}", sale_id.uuid().simple()),
            solution: Solution::MachineCard,
            payment_type: PaymentType::Credit,
            card_brand: Some(CardBrand::Visa),
            installments: 3,
            amount: Cents::new(300_00),
            terminal: Some(SaleTerminal {
                id: TerminalId::from_uuid(Uuid::from_u128(9)),
                serial_number: "PB0001".to_owned(),
            }),
            payment_link_code: None,
            card_last_four: Some("4242".to_owned()),
            authorization_code: Some("A1B2C3".to_owned()),
        };
        Self {
            facts,
            days_ago: 1,
            minutes_past_noon: 0,
        }
    }

    pub fn pix() -> Self {
        let mut sale = Self::card();
        sale.facts.payment_type = PaymentType::Pix;
        sale.facts.installments = 1;
        sale.facts.amount = Cents::new(50_00);
        sale.facts.card_brand = None;
        sale.facts.card_last_four = None;
        sale.facts.authorization_code = None;
        sale.facts.terminal = None;
        sale
    }

    pub fn brand(mut self, brand: CardBrand) -> Self {
        self.facts.card_brand = Some(brand);
        self
    }

    pub fn amount(mut self, cents: i64) -> Self {
        self.facts.amount = Cents::new(cents);
        self
    }

    pub fn days_ago(mut self, days: i64) -> Self {
        self.days_ago = days;
        self
    }

    pub fn minutes_past_noon(mut self, minutes: i64) -> Self {
        self.minutes_past_noon = minutes;
        self
    }
}

/// Five percent for credit, one percent for pix, no flat fee. Installment k falls due 30k days after the capture.
pub fn plan(plan_id: PlanId) -> PlanTerms {
    let rate = |percent: &str| Rate::parse(percent).expect("a rate");
    let fees = MdrFees {
        debit: rate("2"),
        credit_1: rate("5"),
        credit_2to6: rate("5"),
        credit_7to12: rate("5"),
        credit_13to21: rate("5"),
        advance: rate("0"),
    };
    PlanTerms {
        plan_id,
        name: "Plano de teste".to_owned(),
        version: 1,
        solution: Solution::MachineCard,
        kind: PlanKind::Mdr {
            visamaster: fees.clone(),
            others: fees,
        },
        percentage_rate: rate("0"),
        flat_rate: Cents::ZERO,
        settlement_days: 1,
        boleto_fee: Cents::new(199),
        pix_fee: PixFee::Percent(rate("1")),
    }
}

/// A CNPJ that no other company of the test has.
fn cnpj() -> Document {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let base = format!("{:08}0001", NEXT.fetch_add(1, Ordering::Relaxed));
    let mut candidates = (0..100).filter_map(|check| Document::parse(&format!("{base}{check:02}")).ok());
    candidates.next().expect("a CNPJ with its check digits")
}

/// Hashing is slow on purpose, so one hash serves the whole run.
fn password_hash() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| passwords::hash(PASSWORD).expect("a hash"))
}

impl TestApp {
    /// An active company with a plan for card machines that is in force since long ago. Only possible before the
    /// first sale.
    pub async fn company(&self, name: &str) -> Company {
        self.company_with(name, plan).await
    }

    /// Like `company`, under the plan's terms.
    pub async fn company_with(&self, name: &str, plan: impl FnOnce(PlanId) -> PlanTerms) -> Company {
        let since = Since::Installed(start_of(self.today()) - TimeDelta::days(400));
        let (id, plan_id) = (
            BusinessId::from_uuid(Uuid::now_v7()),
            PlanId::from_uuid(Uuid::now_v7()),
        );
        let receiving_plan_id = Uuid::now_v7();
        let mut client = self.app.state.pool.get().await.expect("a connection");
        let transaction = client.transaction().await.expect("a transaction");
        let tx = &*transaction;
        installing(tx).await.expect("an installation");
        let receiving = NewReceivingPlan {
            id: receiving_plan_id,
            description: name.to_owned(),
            flat_rate: Cents::new(350),
            is_default: false,
        };
        receiving_plan_create(tx, &receiving)
            .await
            .expect("a receiving plan");
        let solution = Solution::MachineCard;
        let new_plan = NewPlan {
            id: plan_id,
            description: name.to_owned(),
            solution,
        };
        plan_create(tx, &new_plan).await.expect("a plan");
        plan_version_add(tx, &plan(plan_id), since)
            .await
            .expect("a plan's version");
        let business = NewBusiness {
            id,
            name: name.to_owned(),
            document: cnpj(),
            statement_descriptor: None,
            receiving_plan_id,
            created_at: since,
        };
        business_create(tx, &business).await.expect("a company");
        assignment_add(tx, id, solution, plan_id, since)
            .await
            .expect("a plan's assignment");
        transaction.commit().await.expect("a commit");
        Company { id }
    }

    pub async fn seller(&self, access: &[(&Company, SellerRole)]) -> User {
        let id = UserId::from_uuid(Uuid::now_v7());
        let email = format!("{}@loja.example", id.uuid().simple());
        let client = self.app.state.pool.get().await.expect("a connection");
        let new = NewSeller {
            id,
            name: "Ana Souza",
            email: &email,
            password_hash: password_hash(),
            document: "52998224725",
            active: true,
        };
        seller_insert(&**client, Actor::System, &new)
            .await
            .expect("a seller");
        for (company, role) in access {
            access_upsert(&**client, Actor::System, id, company.id, *role)
                .await
                .expect("access");
        }
        User {
            id,
            email,
            staff: false,
        }
    }

    pub async fn admin(&self, roles: &[AdminRole]) -> User {
        let id = UserId::from_uuid(Uuid::now_v7());
        let email = format!("{}@razao.example", id.uuid().simple());
        let client = self.app.state.pool.get().await.expect("a connection");
        let new = NewAdmin {
            id,
            name: "Bruno Lima",
            email: &email,
            password_hash: password_hash(),
            roles,
            active: true,
        };
        admin_insert(&**client, Actor::System, &new)
            .await
            .expect("a member of staff");
        User {
            id,
            email,
            staff: true,
        }
    }

    pub async fn create_sale(&self, company: &Company, sale: &Sale) -> LedgerPosition {
        let (at, context) = self.at(company, sale);
        let command = CreateSale {
            sale: sale.facts.clone(),
            occurred_at: at,
            context,
        };
        self.submit(company, BusinessCommand::CreateSale(command)).await
    }

    pub async fn capture(&self, company: &Company, sale: &Sale) -> LedgerPosition {
        let (at, context) = self.at(company, sale);
        let command = CaptureSale {
            sale: sale.facts.clone(),
            occurred_at: at,
            context,
        };
        self.submit(company, BusinessCommand::CaptureSale(command)).await
    }

    pub async fn fail(&self, company: &Company, sale: &Sale, reason: &str) -> LedgerPosition {
        let (at, context) = self.at(company, sale);
        let reason = Some(reason.to_owned());
        let command = FailSale {
            sale: sale.facts.clone(),
            occurred_at: at,
            reason,
            context,
        };
        self.submit(company, BusinessCommand::FailSale(command)).await
    }

    fn at(&self, company: &Company, sale: &Sale) -> (Instant, SaleContext) {
        let noon = start_of(self.today() - TimeDelta::days(sale.days_ago)) + TimeDelta::hours(12);
        let at = noon + TimeDelta::minutes(sale.minutes_past_noon);
        (at, SaleContext::unknown(company.id, at))
    }

    pub async fn submit(&self, company: &Company, command: BusinessCommand) -> LedgerPosition {
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: company.id,
            command,
            metadata: Metadata::by(ledger_store::Actor::Job(Job::Installation)),
            idempotency: None,
        };
        match self.app.state.writer.submit(submission).await {
            Outcome::Recorded(receipt) => receipt.position(),
            other => panic!("not recorded: {other:?}"),
        }
    }
}
