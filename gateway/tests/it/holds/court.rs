//! What courts order: two people for the order, its release and its deposits, and later credits that fill it.

use gateway_identity::roles::SellerRole;
use serde_json::{Value, json};

use super::{HoldsFixture, STAFF, court_payment, path};
use crate::adjustments::decide;
use crate::support::Answer;
use crate::withdrawals::{Balances, WithdrawalFixture, credit};

const CASE: &str = "0009999-99.2026.8.26.0114";

impl HoldsFixture {
    /// Asks for a hold of R$ 1.250,00 that a court ordered.
    async fn order_with(&self, change: Value) -> Answer {
        let mut form = json!({
            "kind": "judicial", "amount": 1_250_00, "case_number": CASE, "court": "3ª Vara Cível de Campinas",
            "reason": "Bloqueio ordenado pelo juiz",
        });
        form.as_object_mut()
            .expect("an object")
            .extend(change.as_object().expect("an object").clone());
        self.place_with(form).await
    }

    /// Lets a second person approve what an answer asks for, and returns the request as it is then.
    async fn approved(&self, asked: &Answer) -> Answer {
        assert_eq!(asked.status, 202, "{}", asked.body);
        let second = self.money.second().await;
        decide(&second, &asked.body, "approve", json!({})).await
    }

    /// A court's order that two people placed.
    async fn ordered(&self) -> Value {
        let approved = self.approved(&self.order_with(json!({})).await).await;
        assert_eq!(approved.text("/status"), "recorded", "{}", approved.body);
        let staff = self.current(self.staff()).await;
        let listed = staff.get(&format!("{STAFF}?kind=judicial")).await;
        listed.at("/data/0").clone()
    }

    async fn hold(&self, hold: &Value) -> Value {
        let staff = self.current(self.staff()).await;
        let path = path(hold, "");
        staff.get(path.trim_end_matches('/')).await.body
    }
}

#[tokio::test]
async fn an_order_is_placed_by_two_people_and_once() {
    let fixture = HoldsFixture::open().await;
    let asked = fixture.order_with(json!({})).await;
    assert_eq!(
        (asked.status, asked.text("/kind"), asked.text("/status")),
        (202, "court_order", "pending"),
        "{}",
        asked.body
    );
    assert_eq!(
        fixture.balances().await,
        Balances::available(1_000_00),
        "nothing is recorded yet"
    );
    let own = decide(fixture.staff(), &asked.body, "approve", json!({})).await;
    assert_eq!(own.status, 403, "{}", own.body);
    let approved = fixture.approved(&asked).await;
    assert_eq!(approved.text("/status"), "recorded", "{}", approved.body);
    let second = fixture.money.second().await;
    let again = decide(&second, &asked.body, "approve", json!({})).await;
    assert_eq!(again.status, 409, "{}", again.body);
    assert_eq!(fixture.money.app.count_events("HoldPlaced").await, 1);
    assert_eq!(fixture.balances().await, Balances::available(0).blocked(1_000_00));
    fixture.assert_holds_add_up().await;
}

#[tokio::test]
async fn an_order_takes_later_credits_until_it_has_what_the_court_ordered() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.ordered().await;
    assert_eq!(
        (&hold["amount"], &hold["missing"], &hold["ordered"]),
        (&json!(1_000_00), &json!(250_00), &json!(1_250_00))
    );
    let (app, company) = (&fixture.money.app, &fixture.money.company);
    credit(app, company, 100_00).await;
    assert_eq!(fixture.balances().await, Balances::available(0).blocked(1_100_00));
    credit(app, company, 200_00).await;
    assert_eq!(
        fixture.balances().await,
        Balances::available(50_00).blocked(1_250_00)
    );
    let filled = fixture.hold(&hold).await;
    assert_eq!(
        (&filled["missing"], &filled["state"]),
        (&json!(0), &json!("open"))
    );
    let kinds: Vec<_> = filled["history"]
        .as_array()
        .expect("a history")
        .iter()
        .map(|step| step["kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds, ["placed", "raised", "raised"]);
    credit(app, company, 10_00).await;
    assert_eq!(
        fixture.balances().await,
        Balances::available(60_00).blocked(1_250_00)
    );
    let seen = fixture.seller_reads(&hold).await;
    assert_eq!(
        (seen.text("/case_number"), seen.text("/court")),
        (CASE, "3ª Vara Cível de Campinas")
    );
    fixture.assert_holds_add_up().await;
}

#[tokio::test]
async fn the_same_order_is_placed_once() {
    let fixture = HoldsFixture::open().await;
    let waiting = [
        fixture.order_with(json!({})).await,
        fixture.order_with(json!({})).await,
    ];
    let first = fixture.approved(&waiting[0]).await;
    assert_eq!(first.text("/status"), "recorded");
    let second = fixture.approved(&waiting[1]).await;
    let known = "Já existe um bloqueio em aberto deste processo nesta vara.";
    assert_eq!(
        (second.text("/status"), second.text("/refusal")),
        ("refused", known)
    );
    let third = fixture.order_with(json!({})).await;
    assert_eq!((third.status, third.text("/message")), (409, known));
    let other = fixture
        .order_with(json!({ "case_number": "0000001-11.2026.8.26.0114" }))
        .await;
    assert_eq!(other.status, 202, "another case: {}", other.body);
    assert_eq!(fixture.money.app.count_events("HoldPlaced").await, 1);
}

#[tokio::test]
async fn a_deposit_needs_the_password_and_a_second_person_and_ends_the_order() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.ordered().await;
    credit(&fixture.money.app, &fixture.money.company, 300_00).await;
    let mut wrong = court_payment(1_250_00);
    wrong["password"] = json!("errada-123");
    let refused = fixture.act(&hold, "court-payment", wrong).await;
    assert_eq!(
        refused.at("/errors"),
        &json!({ "password": ["Senha incorreta."] })
    );
    let above = fixture.act(&hold, "court-payment", court_payment(1_250_01)).await;
    assert_eq!(
        above.at("/errors"),
        &json!({ "amount": ["Esta retenção tem R$ 1.250,00, menos do que R$ 1.250,01."] })
    );
    let asked = fixture.act(&hold, "court-payment", court_payment(1_250_00)).await;
    assert_eq!(asked.text("/kind"), "court_payment", "{}", asked.body);
    assert!(
        !asked.body.to_string().contains(crate::support::PASSWORD),
        "no password is stored"
    );
    let approved = fixture.approved(&asked).await;
    assert_eq!(approved.text("/status"), "recorded", "{}", approved.body);
    let paid = fixture.hold(&hold).await;
    assert_eq!(
        (&paid["state"], &paid["paid"], &paid["amount"]),
        (&json!("ended"), &json!(1_250_00), &json!(0))
    );
    assert_eq!(fixture.balances().await, Balances::available(50_00));
    let seen = fixture.seller_reads(&hold).await;
    let last = seen.at("/history/2");
    assert_eq!(
        (&last["kind"], &last["text"]),
        (&json!("paid"), &json!("081160000012345678"))
    );
    fixture.assert_holds_add_up().await;
}

#[tokio::test]
async fn a_release_of_an_order_needs_a_second_person_and_ends_its_taking() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.ordered().await;
    let asked = fixture.release(&hold, 1).await;
    assert_eq!(asked.text("/kind"), "court_release", "{}", asked.body);
    assert_eq!(fixture.approved(&asked).await.text("/status"), "recorded");
    credit(&fixture.money.app, &fixture.money.company, 40_00).await;
    assert_eq!(
        fixture.balances().await,
        Balances::available(40_01).blocked(999_99)
    );
    assert_eq!(fixture.hold(&hold).await["missing"], 0);
    let analysis = fixture.placed(json!({ "amount": 1_00 })).await;
    let refused = fixture.act(&analysis, "court-payment", court_payment(1_00)).await;
    assert_eq!(
        (refused.status, refused.text("/message")),
        (409, "O tipo da retenção (Análise) não permite esta operação.")
    );
    fixture.assert_holds_add_up().await;
}

#[tokio::test]
async fn an_order_without_any_balance_waits_for_credits_and_can_be_lifted() {
    let fixture = HoldsFixture::open().await;
    let first = fixture.ordered().await;
    let other = json!({ "case_number": "0000001-11.2026.8.26.0114" });
    let approved = fixture.approved(&fixture.order_with(other).await).await;
    assert_eq!(approved.text("/status"), "recorded", "{}", approved.body);
    let staff = fixture.current(fixture.staff()).await;
    let listed = staff.get(&format!("{STAFF}?kind=judicial&order=desc")).await;
    let empty = listed.at("/data/0").clone();
    assert_eq!(
        (&empty["amount"], &empty["missing"], &empty["state"]),
        (&json!(0), &json!(1_250_00), &json!("open"))
    );
    let lifted = fixture.approved(&fixture.release(&empty, 0).await).await;
    assert_eq!(lifted.text("/status"), "recorded", "{}", lifted.body);
    assert_eq!(fixture.hold(&empty).await["state"], "ended");
    assert_eq!(fixture.hold(&first).await["state"], "open");
    fixture.assert_holds_add_up().await;
}

/// Nothing is asked before the second person's yes, and the job that makes an approved order again asks nothing twice.
#[tokio::test]
async fn an_order_that_asks_for_documents_tells_the_company_once_it_is_approved() {
    let fixture = HoldsFixture {
        money: WithdrawalFixture::open_with_emails().await,
    };
    let app = &fixture.money.app;
    let owner = app.seller(&[(&fixture.money.company, SellerRole::Owner)]).await;
    let asked = fixture
        .order_with(json!({ "documents": ["Contrato social", "Notas fiscais"] }))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    assert_eq!(app.emails_to(&owner.email).await.len(), 0, "only requested");
    let approved = fixture.approved(&asked).await;
    assert_eq!(approved.text("/status"), "recorded", "{}", approved.body);
    app.app.adjustments().run().await.expect("a run of the job");
    let email = app
        .email_about(&owner.email, "Envie documentos para liberar um valor retido")
        .await;
    assert!(
        email.text.contains("Contrato social; Notas fiscais"),
        "{}",
        email.text
    );
    assert!(
        email.text.contains("R$ 1.000,00"),
        "what is held of the order: {}",
        email.text
    );
    let staff = fixture.current(fixture.staff()).await;
    let listed = staff.get(&format!("{STAFF}?kind=judicial")).await;
    let id = listed.text("/data/0/id");
    assert!(
        email
            .link()
            .ends_with(&format!("/financeiro/valores-retidos/{id}")),
        "{}",
        email.link()
    );
    let silent = json!({ "case_number": "0000001-11.2026.8.26.0114" });
    let approved = fixture.approved(&fixture.order_with(silent).await).await;
    assert_eq!(approved.text("/status"), "recorded", "{}", approved.body);
    assert_eq!(app.emails_to(&owner.email).await.len(), 1);
}

#[tokio::test]
async fn an_order_is_found_by_the_number_of_its_case_with_and_without_punctuation() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.ordered().await;
    let other = json!({ "case_number": "0009999-99.2026.8.26.0115" });
    assert_eq!(
        fixture
            .approved(&fixture.order_with(other).await)
            .await
            .text("/status"),
        "recorded"
    );
    credit(&fixture.money.app, &fixture.money.company, 2_500_00).await;
    fixture.placed(json!({ "amount": 1_00 })).await;
    let staff = fixture.current(fixture.staff()).await;
    for number in [CASE, "00099999920268260114", " 0009999 99 2026 8 26 0114 "] {
        let path = format!("{STAFF}?case_number={}", number.replace(' ', "%20"));
        let found = staff.get(&path).await;
        assert_eq!(found.at("/meta/total"), &json!(1), "{number}: {}", found.body);
        assert_eq!(found.at("/data/0/id"), &hold["id"], "{number}");
    }
    for number in ["0009999", "99999920268260114", "processo"] {
        let found = staff.get(&format!("{STAFF}?case_number={number}")).await;
        assert_eq!(found.at("/meta/total"), &json!(0), "{number}: {}", found.body);
    }
    let long = format!("{STAFF}?case_number={}", "1".repeat(121));
    assert_eq!(staff.get(&long).await.status, 422);
    let of_kind = staff
        .get(&format!("{STAFF}?case_number={CASE}&kind=analysis&state=open"))
        .await;
    assert_eq!(of_kind.at("/meta/total"), &json!(0));
}

#[tokio::test]
async fn a_release_after_a_deposit_does_not_give_back_the_credit_that_the_court_got() {
    let fixture = HoldsFixture::open().await;
    let hold = fixture.ordered().await;
    // The order has the fixture's R$ 1.000,00 and takes R$ 250,00 of the next credit.
    credit(&fixture.money.app, &fixture.money.company, 300_00).await;
    let paid = fixture
        .approved(&fixture.act(&hold, "court-payment", court_payment(1_000_00)).await)
        .await;
    assert_eq!(paid.text("/status"), "recorded", "{}", paid.body);
    let released = fixture.approved(&fixture.release(&hold, 250_00).await).await;
    assert_eq!(released.text("/status"), "recorded", "{}", released.body);
    assert_eq!(fixture.balances().await, Balances::available(300_00));
    let withdrawal = fixture.money.pending_withdrawal(300_00).await;
    fixture.balances().await;
    let path = format!("/api/balance/transfers/{withdrawal}/composition");
    let seller = fixture.current(fixture.seller()).await;
    let credits = seller.get(&path).await;
    let parts: Vec<_> = credits
        .at("/data")
        .as_array()
        .expect("credits")
        .iter()
        .map(|part| (part["amount"].clone(), part["movement"]["amount"].clone()))
        .collect();
    assert_eq!(
        parts,
        [(json!(50_00), json!(300_00)), (json!(250_00), json!(300_00))],
        "{}",
        credits.body
    );
    let days = seller.get(&format!("{path}/days")).await;
    assert_eq!(
        (days.at("/data/0/credits"), days.at("/data/0/used")),
        (&json!(1), &json!(300_00)),
        "{}",
        days.body
    );
}
