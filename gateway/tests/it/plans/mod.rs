//! Plans over HTTP: staff save them, companies sell under them, and sellers see their fees.

mod changes;
mod companies;
mod creation;
mod figures;
mod impact;
mod receiving;
mod two_people;

use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::sale::{BrandGroup, CardBrand};
use serde_json::{Value, json};

use crate::support::{Answer, Client, Company, TestApp};

const PLANS: &str = "/api/admin/plans";

struct PlanFixture {
    app: TestApp,
    company: Company,
    staff: Client,
}

impl PlanFixture {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let company = app.company("Padaria").await;
        let user = app.admin(&[AdminRole::Admin]).await;
        let staff = app.sign_in(&user).await;
        Self { app, company, staff }
    }

    async fn seller(&self, role: SellerRole) -> Client {
        let user = self.app.seller(&[(&self.company, role)]).await;
        self.app.sign_in(&user).await
    }

    async fn created(&self, form: Value) -> Value {
        let made = self.staff.post(PLANS, form).await;
        assert_eq!(made.status, 201, "{}", made.body);
        made.body
    }

    async fn changed(&self, plan: &Value, change: Value) -> Value {
        ok(self.staff.patch(&path(plan), change).await)
    }

    /// Assigns the plan to the company, for the plan's solution.
    async fn give(&self, plan: &Value) {
        let choice = json!({ "solution_id": plan["solution_id"], "plan_id": plan["id"] });
        let path = format!("/api/admin/businesses/{}/plans", self.company.id);
        ok(self.staff.post(&path, json!({ "plans": [choice] })).await);
    }
}

fn path(plan: &Value) -> String {
    format!("{PLANS}/{}", plan["id"].as_str().expect("an id"))
}

/// The body of a 200.
fn ok(answer: Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

fn assert_errors(answer: &Answer, expected: Value) {
    assert_eq!(
        (answer.status, answer.at("/errors")),
        (422, &expected),
        "{}",
        answer.body
    );
}

/// Taxa MDR with these percentages for both groups of brands, PIX at 0,99 % and a boleto at R$ 3,49.
pub fn mdr_form(description: &str, rate: &str, advance: &str) -> Value {
    let mut form = json!({
        "description": description, "solution_id": 1, "mdr": true, "percentage_rate": "0", "flat_rate": 0,
        "settlement_days": 1, "boleto_fee": 349, "pix_fee_fixed": false, "pix_fee": "0.99",
    });
    for group in ["visamaster", "others"] {
        form[format!("mdr_advance_fee_{group}")] = json!(advance);
        for band in [
            "debit",
            "credit_1",
            "credit_2to6",
            "credit_7to12",
            "credit_13to21",
        ] {
            form[format!("mdr_{band}_fee_{group}")] = json!(rate);
        }
    }
    form
}

/// Taxa Efetiva. Visa and Mastercard: debit at 1,99 %, credit from 3,49 %. Other brands: debit at 2,49 %, credit from
/// 4,19 %. Each further installment adds 0,5 %.
fn effective_form(description: &str) -> Value {
    let mut fees = vec![];
    for brand in CardBrand::IN_PLANS {
        let (debit, first) = match brand.brand_group() {
            BrandGroup::Visamaster => ("1.99", 3_49),
            BrandGroup::Others => ("2.49", 4_19),
        };
        fees.push(fee(brand.as_str(), "debit", 1, debit));
        for count in 1..=21 {
            let rate = first + 50 * (count - 1);
            let rate = format!("{}.{:02}", rate / 100, rate % 100);
            fees.push(fee(brand.as_str(), "credit", count, &rate));
        }
    }
    json!({
        "description": description, "solution_id": 1, "mdr": false, "percentage_rate": "0", "flat_rate": 0,
        "settlement_days": 2, "pix_fee_fixed": true, "pix_fee": 99, "fees": fees,
    })
}

fn fee(brand: &str, payment_type: &str, count: u16, percent: &str) -> Value {
    json!({
        "card_brand": brand, "payment_type": payment_type, "number_installments": count, "percent_amount": percent,
    })
}
