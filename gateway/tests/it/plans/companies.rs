//! The plan of a company by solution: its own, else the default.

use gateway_identity::roles::SellerRole;
use ledger_domain::sale::CardBrand;
use serde_json::{Value, json};

use super::{PlanFixture, assert_errors, effective_form, mdr_form, ok};
use crate::support::{Company, PASSWORD, Sale};

#[tokio::test]
async fn a_company_that_gives_up_its_own_plan_has_the_default() {
    let fixture = PlanFixture::open().await;
    let mut form = mdr_form("Padrão", "4", "0");
    form["default"] = json!(true);
    let default_plan = fixture.created(form).await;
    let own_plan = fixture.created(effective_form("Especial")).await;
    let path = format!("/api/admin/businesses/{}/plans", fixture.company.id);
    let seller = fixture.seller(SellerRole::Owner).await;
    // The name of the plan whose fees the seller sees.
    let plan_name = async || {
        let plan = ok(seller.get("/api/business/plan?solution=1").await);
        plan["plan"]["name"].as_str().expect("a name").to_owned()
    };
    // Each company of the tests begins with a plan of its own.
    assert_eq!(plan_name().await, "Plano de teste");
    let choose = |plan_id: &Value| json!({ "plans": [{ "solution_id": 1, "plan_id": plan_id }] });
    let set = ok(fixture.staff.post(&path, choose(&own_plan["id"])).await);
    assert_eq!(
        (&set["data"][0]["own"], &set["data"][0]["plan"]["id"]),
        (&json!(true), &own_plan["id"])
    );
    // Solution 4 has neither an own plan nor a default.
    assert_eq!(set["data"][3]["plan"], Value::Null);
    assert_eq!(plan_name().await, "Especial");
    let back = ok(fixture.staff.post(&path, choose(&Value::Null)).await);
    assert_eq!(
        (&back["data"][0]["own"], &back["data"][0]["plan"]["id"]),
        (&json!(false), &default_plan["id"])
    );
    assert_eq!(plan_name().await, "Padrão");
    assert_eq!(ok(fixture.staff.get(&path).await), back);
    let page = format!("/api/admin/businesses/{}", fixture.company.id);
    let shown = ok(fixture.staff.get(&page).await);
    assert_eq!(
        shown["plans"][0],
        json!({ "solution_id": 1, "plan_id": default_plan["id"], "description": "Padrão", "is_default": true })
    );
    // The audit log has both changes. A repeated choice changes nothing and adds no entry.
    let rows = "SELECT count(*) FROM audit_log WHERE action = 'change-plans'";
    let before = fixture.app.count(rows).await;
    ok(fixture.staff.post(&path, choose(&Value::Null)).await);
    assert_eq!((before, fixture.app.count(rows).await), (2, 2));
}

#[tokio::test]
async fn a_change_between_plans_of_the_same_name_is_in_the_audit_log() {
    let fixture = PlanFixture::open().await;
    let path = format!("/api/admin/businesses/{}/plans", fixture.company.id);
    for _ in 0..2 {
        let plan = fixture.created(effective_form("Especial")).await;
        let choice = json!({ "plans": [{ "solution_id": 1, "plan_id": plan["id"] }] });
        ok(fixture.staff.post(&path, choice).await);
    }
    let rows = "SELECT count(*) FROM audit_log WHERE action = 'change-plans'";
    assert_eq!(fixture.app.count(rows).await, 2);
}

#[tokio::test]
async fn a_company_gets_only_active_plans_in_force_of_the_chosen_solution() {
    let fixture = PlanFixture::open().await;
    let mut inactive = mdr_form("Inativo", "4", "0");
    inactive["active"] = json!(false);
    let inactive = fixture.created(inactive).await;
    let mut later = mdr_form("Depois", "4", "0");
    later["valid_from"] = json!("2027-01-04T03:00:00Z");
    (later["solution_id"], later["boleto_fee"]) = (json!(2), json!(0));
    let later = fixture.created(later).await;
    let path = format!("/api/admin/businesses/{}/plans", fixture.company.id);
    let choose = |plans: Value| json!({ "plans": plans });
    let refused = fixture
        .staff
        .post(
            &path,
            choose(json!([
                { "solution_id": 1, "plan_id": inactive["id"] },
                { "solution_id": 2, "plan_id": later["id"] },
                { "solution_id": 3, "plan_id": later["id"] },
                { "solution_id": 4, "plan_id": "pln_x" },
                { "solution_id": 4, "plan_id": null },
                { "solution_id": 9 },
                {},
            ])),
        )
        .await;
    assert_errors(
        &refused,
        json!({
            "plans[0].plan_id": ["Este plano está inativo."],
            "plans[1].plan_id": ["Este plano ainda não está em vigor."],
            "plans[2].plan_id": ["Este plano é de outra solução."],
            "plans[3].plan_id": ["Plano não encontrado."],
            "plans[4].solution_id": ["Informe cada solução uma vez só."],
            "plans[5].solution_id": ["Valor inválido"],
            "plans[6].solution_id": ["requerido"],
        }),
    );
    assert_errors(
        &fixture.staff.post(&path, json!({})).await,
        json!({ "plans": ["requerido"] }),
    );
    let unknown = "/api/admin/businesses/biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b99/plans";
    assert_eq!(fixture.staff.post(unknown, choose(json!([]))).await.status, 404);
    assert_eq!(fixture.staff.get(unknown).await.status, 404);
}

#[tokio::test]
async fn a_new_company_sells_under_the_plan_of_its_form() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(effective_form("Da nova loja")).await;
    fixture
        .app
        .execute("UPDATE receiving_plan SET is_default = true")
        .await;
    let form = json!({
        "seller": {
            "name": "Bia Lima", "email": "bia@loja.example", "password": PASSWORD, "document": "529.982.247-25",
        },
        "business": {
            "type": "PF", "document": "529.982.247-25", "name": "Bia Lima", "birth_date": "1990-05-20",
        },
        "address": {
            "address": "Praça da Sé", "number": "1", "neighborhood": "Sé", "city": "São Paulo", "state": "SP",
            "postal_code": "01001000",
        },
        "bank_account": {
            "bank_code": "001", "type": "SAVINGS", "routing_number": "3201", "account_number": "48210",
            "account_digit": "3",
        },
        "plans": [{ "solution_id": 1, "plan_id": plan["id"] }],
    });
    let created = fixture.staff.post("/api/admin/sellers/create", form).await;
    assert_eq!(created.status, 201, "{}", created.body);
    let path = format!("/api/admin/businesses/{}", created.text("/id"));
    ok(fixture
        .staff
        .patch(
            &path,
            json!({ "approval": "enabled", "reason": "Conhecida.", "version": 1 }),
        )
        .await);
    let sign_in = json!({ "email": "bia@loja.example", "password": PASSWORD });
    let session = fixture.app.client().post("/api/auth/sign-in", sign_in).await;
    let seller = fixture.app.client().bearing(session.text("/access_token"));
    let company = Company {
        id: created.text("/id").parse().expect("an id"),
    };
    let sale = Sale::card()
        .brand(CardBrand::Elo)
        .amount(123_45)
        .days_ago(0)
        .minutes_past_noon(1);
    let position = fixture.app.capture(&company, &sale).await.to_string();
    let reader = seller.clone().with("ledger-position", &position);
    let sold = ok(reader
        .get(&format!("/api/transactions/{}", sale.facts.sale_id))
        .await);
    assert_eq!(sold["plan"]["id"], plan["id"]);
    // Elo in 3 installments: 4,19 % + 2 × 0,5 % = 5,19 %. Of R$ 123,45, that is R$ 6,407055, rounded to R$ 6,41.
    assert_eq!(sold["net_amount"], 123_45 - 6_41);
    let simulation =
        "/api/business/plan/simulation?solution=1&amount=12345&brand=elo&paymentType=credit&installments=3";
    assert_eq!(ok(seller.get(simulation).await)["net"], sold["net_amount"]);
}
