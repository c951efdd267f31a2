//! Companies with a plan for card machines.

use std::sync::atomic::{AtomicU32, Ordering};

use chrono::TimeDelta;
use gateway_platform::companies::{
    Approval, CompanyProfile, NewBusiness, NewReceivingPlan, business_create, decide_at_installation,
    receiving_plan_create,
};
use gateway_platform::plans::{NewPlan, assignment_add, plan_create, plan_version_add};
use gateway_platform::validity::{Since, allow_past_validity};
use ledger_domain::calendar::start_of;
use ledger_domain::documents::Document;
use ledger_domain::fees::{MdrFees, PixFee, PlanKind, PlanTerms};
use ledger_domain::sale::Solution;
use ledger_domain::{BusinessId, Cents, PlanId, Rate};
use uuid::Uuid;

use super::TestApp;

pub struct Company {
    pub id: BusinessId,
}

/// 5 % for credit, 2 % for debit, 1 % for PIX, R$ 1,99 for a boleto, and no other flat fee. Installment k of a credit
/// sale is due 30k days after the capture, or on the next business day.
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
        solution: Solution::CardMachine,
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

impl TestApp {
    /// An active company with a plan for card machines that has been in force for 400 days, and R$ 3,50 as the fee of
    /// a withdrawal. Validity from a past instant is only allowed before the first sale of the installation.
    pub async fn company(&self, name: &str) -> Company {
        self.company_with(name, plan).await
    }

    /// Like `company`, under the plan's terms.
    pub async fn company_with(&self, name: &str, plan: impl FnOnce(PlanId) -> PlanTerms) -> Company {
        let opened = start_of(self.today()) - TimeDelta::days(400);
        let since = Since::Past(opened);
        let (id, plan_id) = (
            BusinessId::from_uuid(Uuid::now_v7()),
            PlanId::from_uuid(Uuid::now_v7()),
        );
        let receiving_plan_id = Uuid::now_v7();
        let mut client = self.app.state.pool.get().await.expect("a connection");
        let transaction = client.transaction().await.expect("a transaction");
        let tx = &*transaction;
        allow_past_validity(tx).await.expect("the past is allowed");
        let receiving = NewReceivingPlan {
            id: receiving_plan_id,
            description: name.to_owned(),
            flat_rate: Cents::new(350),
            is_default: false,
            active: true,
        };
        receiving_plan_create(tx, &receiving)
            .await
            .expect("a receiving plan");
        let solution = Solution::CardMachine;
        let new_plan = NewPlan {
            id: plan_id,
            description: name.to_owned(),
            solution,
            active: true,
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
            profile: CompanyProfile::default(),
            created_at: since,
        };
        business_create(tx, &business).await.expect("a company");
        let decision = (Uuid::new_v4(), Approval::Enabled, opened);
        decide_at_installation(tx, id, decision)
            .await
            .expect("a decision");
        assignment_add(tx, id, solution, Some(plan_id), since)
            .await
            .expect("a plan's assignment");
        transaction.commit().await.expect("a commit");
        Company { id }
    }
}
