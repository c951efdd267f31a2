//! The reserve over HTTP and by the settlement job: rules, shares, their calendar, and their release.

use gateway_environment::clock::BusinessClock;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::settlement::{Settled, Settlement};
use ledger_domain::PlanId;
use ledger_domain::fees::PlanTerms;
use projections::replay;
use serde_json::{Value, json};

use crate::support::acquirer::{SECRETS, capture, with_type};
use crate::support::{Answer, Client, Company, PARTS_WITHOUT_EFFECTS, PASSWORD, TestApp, plan};
use crate::withdrawals::seller_of;

/// A company with a sale of R$ 300,00 in three installments of R$ 95,00 net, due on 21 December, 19 January and 18
/// February. Today is 21 November 2026.
struct ReserveFixture {
    app: TestApp,
    company: Company,
    seller: Client,
    /// The owner of another company.
    other_seller: Client,
    staff: Client,
}

impl ReserveFixture {
    async fn open() -> Self {
        Self::open_with(plan).await
    }

    /// The company has the plan.
    async fn open_with(plan: impl FnOnce(PlanId) -> PlanTerms) -> Self {
        let app = TestApp::start_with(&[SECRETS], PARTS_WITHOUT_EFFECTS).await;
        let company = app.company_with("Padaria", plan).await;
        let other = app.company("Livraria").await;
        let other_seller = seller_of(&app, &other, SellerRole::Owner).await;
        let seller = seller_of(&app, &company, SellerRole::Owner).await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
        let fixture = Self {
            app,
            company,
            seller,
            other_seller,
            staff,
        };
        let sent = fixture.app.send(&capture(&fixture.company, "nsu-1")).await;
        assert_eq!(sent.status, 200);
        fixture
    }

    fn rules_of_company(&self) -> String {
        format!("/api/admin/businesses/{}/reserve", self.company.id)
    }

    async fn rules_of_plan(&self) -> String {
        let plan = self
            .app
            .text("SELECT receiving_plan_id::text FROM business WHERE name = 'Padaria'")
            .await;
        format!("/api/admin/plans/receiving/{plan}/reserve")
    }

    async fn set(&self, path: &str, change: Value) -> Answer {
        self.staff.post(path, rules(change)).await
    }

    /// Runs the job as on this day, and waits for the read models.
    async fn run_on(&self, day: &str) -> Settled {
        self.app.until_projected().await;
        let clock = BusinessClock::stopped_on(day.parse().expect("a date"));
        let settlement = Settlement {
            clock,
            ..self.app.app.settlement()
        };
        let settled = settlement.run(|_| ()).await.expect("a run");
        self.app.until_projected().await;
        settled
    }

    /// Available, held and receivable.
    async fn balances(&self) -> (i64, i64, i64) {
        let of = |account: &str| format!("SELECT {account} FROM business_head");
        (
            self.app.count(&of("available")).await,
            self.app.count(&of("held_by_staff")).await,
            self.app.count(&of("receivable")).await,
        )
    }

    /// What the audit by replay finds.
    async fn findings(&self) -> Vec<String> {
        let mut findings = vec![];
        let pool = &self.app.app.state.pool;
        replay::run(
            pool,
            &self.app.database.connector(),
            |_| (),
            |finding| {
                findings.push(finding.to_string());
            },
        )
        .await
        .expect("an audit");
        findings
    }

    async fn seller_reads(&self, path: &str) -> Value {
        let answer = self.seller.get(&format!("/api/balance/reserve{path}")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }
}

/// 10 % for 30 days from today on, with some fields changed.
fn rules(change: Value) -> Value {
    let mut form = json!({
        "percentage": "10", "days": 30, "valid_from": "2026-11-21", "reason": "Contestações acima de 1 %",
    });
    form.as_object_mut()
        .expect("an object")
        .extend(change.as_object().expect("an object").clone());
    form
}

#[tokio::test]
async fn a_share_of_each_settlement_is_held_until_its_day() {
    let fixture = ReserveFixture::open().await;
    let set = fixture.set(&fixture.rules_of_company(), json!({})).await;
    assert_eq!(set.status, 201, "{}", set.body);

    assert_eq!(fixture.run_on("2026-12-21").await.installments, 1);
    assert_eq!(fixture.balances().await, (85_50, 9_50, 190_00));
    // The second installment settles on 19 January; the first share is released on 20 January.
    assert_eq!(fixture.run_on("2027-01-19").await.installments, 1);
    assert_eq!(fixture.balances().await, (171_00, 19_00, 95_00));

    let reserve = fixture.seller_reads("").await;
    assert_eq!(reserve["held"], 19_00);
    assert_eq!(reserve["rules"]["percentage"], "10");
    let days: Vec<_> = reserve["coming"].as_array().expect("days").iter().collect();
    let of_day = |day: &Value| (day["release_on"].clone(), day["held"].clone());
    let expected = [("2027-01-20", 9_50), ("2027-02-18", 9_50)];
    let expected = expected.map(|(day, held)| (json!(day), json!(held)));
    assert_eq!(days.into_iter().map(of_day).collect::<Vec<_>>(), expected);
    let listed = fixture.seller_reads("/installments?release_on=2027-01-20").await;
    assert_eq!(listed["meta"]["total"], 1);
    let row = &listed["data"][0];
    assert_eq!(
        (&row["number"], &row["net"], &row["held"]),
        (&json!(1), &json!(95_00), &json!(9_50))
    );
    assert_eq!(row["state"], "held");

    let released = fixture.run_on("2027-01-20").await;
    assert_eq!((released.installments, released.released), (0, 1));
    assert_eq!(fixture.balances().await, (180_50, 9_50, 95_00));
    assert_eq!(fixture.run_on("2027-01-20").await, Settled::default());
    let listed = fixture.seller_reads("/installments?state=released").await;
    assert_eq!(listed["data"][0]["released"], 9_50);

    let sale = row["sale_id"].as_str().expect("a sale");
    let sale = fixture.seller.get(&format!("/api/transactions/{sale}")).await;
    let events = sale.at("/events").as_array().expect("events");
    let of_event = |event: &Value| ["type", "amount", "reserved"].map(|field| event[field].clone());
    let expected = [
        ("SaleCaptured", 300_00, Value::Null),
        ("ReceivablesSettled", 95_00, json!(9_50)),
        ("ReceivablesSettled", 95_00, json!(9_50)),
        ("ReserveReleased", 9_50, Value::Null),
    ];
    let expected = expected.map(|(name, amount, reserved)| [json!(name), json!(amount), reserved]);
    assert_eq!(
        events.iter().map(of_event).collect::<Vec<_>>(),
        expected,
        "{}",
        sale.body
    );

    let history = fixture.seller.get("/api/balance/history?order=asc").await;
    let lines = history.at("/data").as_array().expect("lines");
    let of_line = |line: &Value| {
        (
            line["movement"].clone(),
            line["amount"].clone(),
            line["kind"].clone(),
        )
    };
    let expected = [
        ("settlement", 85_50),
        ("settlement", 85_50),
        ("reserve_released", 9_50),
    ];
    let expected = expected.map(|(movement, amount)| (json!(movement), json!(amount), json!(0)));
    assert_eq!(
        lines.iter().map(of_line).collect::<Vec<_>>(),
        expected,
        "{}",
        history.body
    );
}

#[tokio::test]
async fn a_debit_consists_of_what_was_paid_of_installments_and_of_what_was_released() {
    let fixture = ReserveFixture::open().await;
    fixture.set(&fixture.rules_of_company(), json!({})).await;
    fixture.run_on("2026-12-21").await;
    fixture.run_on("2027-01-20").await;
    let removal = json!({
        "business_id": fixture.company.id, "amount": 180_50, "description": "Acerto", "password": PASSWORD,
    });
    let removed = fixture
        .staff
        .post("/api/admin/balance/transfers/manual", removal)
        .await;
    assert_eq!(removed.status, 201, "{}", removed.body);
    fixture.app.until_projected().await;
    let id = removed.text("/id");
    let path = format!("/api/admin/balance/transfers/{id}/composition");
    let credits = fixture.staff.get(&path).await;
    let of_part = |part: &Value| {
        let installment = &part["installment"];
        let fields = ["gross", "fees", "withheld"].map(|field| installment[field].clone());
        (part["amount"].clone(), fields)
    };
    let parts = credits.at("/data").as_array().expect("credits");
    let settled = [100_00, 5_00, 9_50].map(|cents| json!(cents));
    let released = [9_50, 0, 0].map(|cents| json!(cents));
    let expected = [
        (json!(85_50), settled.clone()),
        (json!(85_50), settled),
        (json!(9_50), released),
    ];
    let parts: Vec<_> = parts.iter().map(of_part).collect();
    assert_eq!(parts, expected, "{}", credits.body);
}

#[tokio::test]
async fn the_audit_agrees_with_the_reserve() {
    let fixture = ReserveFixture::open().await;
    fixture.set(&fixture.rules_of_company(), json!({})).await;
    fixture.run_on("2026-12-21").await;
    fixture.run_on("2027-01-20").await;
    assert_eq!(fixture.findings().await, [""; 0]);
    let tampered = "UPDATE reserve_piece SET used = used + 1 WHERE number = 2";
    fixture.app.execute(tampered).await;
    let findings = fixture.findings().await.join("\n");
    assert!(findings.contains("reserve_piece"), "{findings}");
    let sum = "the reserve's hold is the sum of its pieces";
    assert!(findings.contains(sum), "{findings}");
}

#[tokio::test]
async fn a_refund_uses_the_reserve_of_its_sale_first() {
    let fixture = ReserveFixture::open().await;
    fixture.set(&fixture.rules_of_company(), json!({})).await;
    fixture.run_on("2026-12-21").await;
    let mut refunded = with_type(&capture(&fixture.company, "nsu-1"), "sale.refunded");
    refunded.occurred_at = "2026-11-20T18:00:00Z".parse().expect("an instant");
    assert_eq!(fixture.app.send(&refunded).await.status, 200);
    fixture.app.until_projected().await;
    assert_eq!(fixture.balances().await, (0, 0, 0));
    let reserve = fixture.seller_reads("").await;
    assert_eq!(reserve["held"], 0);
    let listed = fixture.seller_reads("/installments?state=used").await;
    assert_eq!(listed["data"][0]["used"], 9_50);
}

#[tokio::test]
async fn a_company_without_rules_has_those_of_its_receiving_plan() {
    let fixture = ReserveFixture::open().await;
    let of_plan = fixture.rules_of_plan().await;
    let set = fixture
        .set(&of_plan, json!({ "percentage": "20", "maximum": 15_00 }))
        .await;
    assert_eq!(set.status, 201, "{}", set.body);
    fixture.run_on("2026-12-21").await;
    // 20 % of R$ 95,00 is R$ 19,00: the maximum is R$ 15,00.
    assert_eq!(fixture.balances().await, (80_00, 15_00, 190_00));

    let exempt = fixture
        .set(&fixture.rules_of_company(), json!({ "percentage": "0" }))
        .await;
    assert_eq!(exempt.status, 201, "{}", exempt.body);
    fixture.run_on("2027-01-19").await;
    assert_eq!(fixture.balances().await, (175_00, 15_00, 95_00));
    let versions = fixture.staff.get(&fixture.rules_of_company()).await;
    assert_eq!(versions.at("/own/0/percentage"), &json!("0"));
    assert_eq!(versions.at("/of_plan/0/percentage"), &json!("20"));
}

#[tokio::test]
async fn scheduled_rules_count_from_their_day_on_and_later_ones_replace_them() {
    let fixture = ReserveFixture::open().await;
    let path = fixture.rules_of_company();
    for (valid_from, percentage) in [("2027-01-10", "50"), ("2027-01-01", "5"), ("2027-02-01", "7")] {
        let set = fixture
            .set(
                &path,
                json!({ "valid_from": valid_from, "percentage": percentage, "ends_on": "2027-02-10" }),
            )
            .await;
        assert_eq!(set.status, 201, "{}", set.body);
    }
    fixture.run_on("2026-12-21").await;
    assert_eq!(fixture.balances().await, (95_00, 0, 190_00));
    // The 5 % were set after the 50 %, and count from before them on.
    fixture.run_on("2027-01-19").await;
    assert_eq!(fixture.balances().await, (95_00 + 90_25, 4_75, 95_00));
    // The last rules ended on 10 February.
    fixture.run_on("2027-02-18").await;
    assert_eq!(fixture.balances().await, (3 * 95_00, 0, 0));
}

/// The writer decides this settlement with the capture, from the reference data in memory.
#[tokio::test]
async fn a_sale_that_settles_at_its_capture_is_held_in_part_too() {
    let fixture = ReserveFixture::open_with(|id| PlanTerms {
        settlement_days: 0,
        ..plan(id)
    })
    .await;
    fixture.set(&fixture.rules_of_plan().await, json!({})).await;
    let mut pix = capture(&fixture.company, "nsu-pix");
    pix.data.payment_type = "pix";
    pix.data.card_brand = None;
    pix.data.card_last_four = None;
    pix.data.installments = 1;
    pix.occurred_at = "2026-11-21T14:00:00Z".parse().expect("an instant");
    assert_eq!(fixture.app.send(&pix).await.status, 200);
    let (available, held, _) = fixture.balances().await;
    assert_eq!(held, (available + held + 5) / 10);
    assert!(held > 0, "{available} {held}");
}

#[tokio::test]
async fn the_impact_is_shown_before_the_rules_are_saved() {
    let fixture = ReserveFixture::open().await;
    fixture.app.until_projected().await;
    let path = format!("{}/impact", fixture.rules_of_company());
    let impact = fixture.set(&path, json!({ "maximum": 20_00 })).await;
    assert_eq!(impact.status, 200, "{}", impact.body);
    assert_eq!(impact.at("/month"), &json!("2026-10-01"));
    let days = impact.at("/coming").as_array().expect("days").clone();
    let of_day = |day: &Value| (day["date"].clone(), day["reserved"].clone(), day["held"].clone());
    // The first share leaves on 20 January, after the second settlement; the third comes on the second's day.
    let expected = [
        ("2026-12-21", 9_50, 9_50),
        ("2027-01-19", 9_50, 19_00),
        ("2027-02-18", 9_50, 9_50),
    ];
    let expected = expected.map(|(day, reserved, held)| (json!(day), json!(reserved), json!(held)));
    assert_eq!(days.iter().map(of_day).collect::<Vec<_>>(), expected);
    assert_eq!(impact.at("/peak"), &json!(19_00));
    assert_eq!(fixture.app.count("SELECT count(*) FROM reserve_rules").await, 0);
    let of_plan = format!("{}/impact", fixture.rules_of_plan().await);
    let impact = fixture.set(&of_plan, json!({})).await;
    assert_eq!(impact.at("/companies"), &json!(1), "{}", impact.body);
    // An own rule counts from its day on, so until then the company has those of its plan.
    let own = json!({ "valid_from": "2026-12-10" });
    assert_eq!(fixture.set(&fixture.rules_of_company(), own).await.status, 201);
    for (valid_from, companies) in [("2026-12-09", 1), ("2026-12-10", 0)] {
        let impact = fixture.set(&of_plan, json!({ "valid_from": valid_from })).await;
        assert_eq!(impact.at("/companies"), &json!(companies), "{}", impact.body);
    }
}

#[tokio::test]
async fn invalid_rules_have_an_error_for_each_field() {
    let fixture = ReserveFixture::open().await;
    let invalid = [
        (json!({ "percentage": "99.5" }), "percentage"),
        (json!({ "percentage": "dez" }), "percentage"),
        (json!({ "days": 0 }), "days"),
        (json!({ "days": 366 }), "days"),
        (json!({ "maximum": 0 }), "maximum"),
        (json!({ "valid_from": "2026-11-20" }), "valid_from"),
        (json!({ "ends_on": "2026-11-20" }), "ends_on"),
        (json!({ "reason": " " }), "reason"),
    ];
    for (change, field) in invalid {
        let refused = fixture.set(&fixture.rules_of_company(), change.clone()).await;
        assert_eq!(refused.status, 422, "{change}: {}", refused.body);
        assert!(
            refused.body["errors"][field].is_array(),
            "{change}: {}",
            refused.body
        );
    }
    assert_eq!(fixture.app.count("SELECT count(*) FROM reserve_rules").await, 0);
}

#[tokio::test]
async fn staff_cannot_release_it_and_sellers_see_only_their_own() {
    let fixture = ReserveFixture::open().await;
    fixture.set(&fixture.rules_of_company(), json!({})).await;
    fixture.run_on("2026-12-21").await;
    let company = fixture.company.id;
    let hold = "hld_00000000-0000-0000-0000-000000000003";
    let release = format!("/api/admin/balance/holds/{company}/{hold}/release");
    let refused = fixture
        .staff
        .post(&release, json!({ "amount": 9_50, "reason": "engano" }))
        .await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let listed = fixture
        .other_seller
        .get("/api/balance/reserve/installments")
        .await;
    assert_eq!(listed.at("/meta/total"), &json!(0));
    let of_staff = fixture
        .staff
        .get(&format!("/api/admin/balance/reserve/{company}"))
        .await;
    assert_eq!(of_staff.at("/held"), &json!(9_50));
}
