//! Each kind of difference, the sums of the day, and the decisions of staff, also over repeated imports.

use ledger_domain::Cents;
use ledger_domain::business::{BusinessCommand, RefundSale, Refunded};
use ledger_domain::sale::{PaymentNames, Provider};
use serde_json::json;

use super::{DUE, SETTLEMENTS, SettlementFixture, date, detail, paid_file};

/// Six card sales, and the acquirer's rate: 2.5 % of each installment of R$ 100,00, so R$ 2,50.
async fn with_six_sales() -> SettlementFixture {
    let fixture = SettlementFixture::open().await;
    for tid in [
        "TID-fine",
        "TID-less",
        "TID-missing",
        "TID-late",
        "TID-double",
        "TID-named",
    ] {
        fixture.card_sale(tid).await;
    }
    fixture.until_projected().await;
    assert_eq!(fixture.first_due_date("TID-fine").await, date(DUE));
    let rate = json!({ "provider": 1, "payment_type": "credit", "valid_from": "2026-01-01", "percent": "2.5", "flat": 0 });
    let created = fixture.staff.post(&format!("{SETTLEMENTS}/rates"), rate).await;
    assert_eq!(created.status, 201, "{}", created.body);
    fixture
        .app
        .execute("UPDATE sale SET authorization_code = 'NAMED1' WHERE external_id = 'TID-named'")
        .await;
    fixture
}

/// Reports each sale except TID-missing, TID-double twice, TID-named by its authorization only, and TID-unknown, which
/// the platform does not have. Each has a unit that the file pays, except TID-late.
fn first_file() -> String {
    let mut less = detail("TID-less");
    less.gross = Cents::new(99_00);
    less.fee = Some(Cents::new(2_48));
    let mut late = detail("TID-late");
    late.unit_key = "unit-2".to_owned();
    late.due = Some(date("2026-11-12"));
    late.fee = Some(Cents::new(5_00));
    let mut unknown = detail("TID-unknown");
    unknown.gross = Cents::new(50_00);
    let mut named = detail("");
    named.authorization = "NAMED1".to_owned();
    named.nsu = "777777".to_owned();
    paid_file(vec![
        detail("TID-fine"),
        less,
        late,
        unknown,
        detail("TID-double"),
        named,
        detail("TID-double"),
    ])
}

#[tokio::test]
async fn each_kind_of_difference_is_listed_and_the_day_adds_up() {
    let fixture = with_six_sales().await;
    let import = fixture.import("extrato.txt", first_file()).await;
    assert_eq!(
        (&import["state"], &import["records_read"], &import["bad_lines"]),
        (&json!("done"), &json!(7), &json!(0)),
        "{import}"
    );
    assert_eq!(
        fixture.differences("").await,
        [
            json!(["amount", "TID-less", -1_00, "open"]),
            json!(["date", "TID-late", 0, "open"]),
            json!(["double", "TID-double", 100_00, "open"]),
            json!(["fee", "TID-late", 0, "open"]),
            json!(["missing", null, -100_00, "open"]),
            json!(["unknown", "TID-unknown", 50_00, "open"]),
        ]
    );
    // Expected: 6 sales × 100. Reported: fine 100 + less 99 + late 100 + double 2 × 100 + named 100 + unknown 50.
    // Paid: the six lines other than late, each with the net 97.50 of `detail`. Cost: 2.50 in five lines, less, late.
    assert_eq!(
        fixture.day(DUE).await,
        json!({
            "expected": 600_00, "reported": 649_00, "difference": 49_00, "open": 6,
            "paid": 97_50 * 6, "cost": 2_50 * 5 + 2_48 + 5_00,
        })
    );
    let rows = fixture
        .get(&format!("receivables?provider=zoop&start={DUE}&end={DUE}"))
        .await;
    let sum = |field: &str| -> i64 {
        let rows = rows["data"].as_array().expect("rows").iter();
        rows.map(|row| row[field].as_i64().expect("cents") * row["times"].as_i64().expect("a count"))
            .sum()
    };
    assert_eq!((sum("gross"), sum("cost")), (649_00, 2_50 * 5 + 2_48 + 5_00));
    let fee = fixture.one_difference("fee").await;
    assert_eq!((&fee["expected"], &fee["reported"]), (&json!(2_50), &json!(5_00)));
    let late = fixture.one_difference("date").await;
    assert_eq!(
        (
            &late["expected_on"],
            &late["reported_on"],
            &late["line"],
            &late["file_name"]
        ),
        (
            &json!(DUE),
            &json!("2026-11-12"),
            &json!(5),
            &json!("extrato.txt")
        )
    );
    assert_eq!(fixture.differences("search=tid unknown").await.len(), 1);
    assert_eq!(fixture.differences("search=padaria&kind=missing").await.len(), 1);
    assert_eq!(fixture.differences("provider=iugu").await.len(), 0);
    assert_eq!(fixture.differences("start=2026-11-12").await.len(), 0);
    // TID-named's line was unknown until the job looked for its authorization.
    assert_eq!(
        fixture.differences("state=gone").await,
        [json!(["unknown", "2026-10-12-777777-NAMED1", 100_00, "gone"])]
    );
}

#[tokio::test]
async fn an_authorization_finds_a_sale_that_is_nineteen_months_old() {
    let fixture = SettlementFixture::open().await;
    fixture.card_sale("TID-old").await;
    fixture.until_projected().await;
    // A sale in 21 installments has its last due date after 630 days, so acquirers still report it.
    let sold_on = date("2025-04-10");
    fixture
        .app
        .execute("UPDATE sale SET authorization_code = 'OLD001', occurred_at = '2025-04-10 15:00Z'")
        .await;
    let mut old = detail("");
    old.authorization = "OLD001".to_owned();
    old.sold_on = Some(sold_on);
    fixture.import("extrato.txt", paid_file(vec![old])).await;
    let matched = "acquirer_receivable WHERE authorization_code = 'OLD001' AND sale_id IS NOT NULL";
    assert_eq!(fixture.app.rows(matched).await, 1);
}

#[tokio::test]
async fn a_resolved_difference_stays_resolved_until_its_figures_change() {
    let fixture = with_six_sales().await;
    fixture.import("extrato.txt", first_file()).await;
    let missing = fixture.one_difference("missing").await;
    let amount = fixture.one_difference("amount").await;
    let refused = fixture
        .decide(&missing, "resolve", json!({ "reason": " " }))
        .await;
    assert_eq!(refused.at("/errors/reason/0"), "Informe o motivo.");
    let stale = json!({ "reason": "Paga no dia seguinte.", "version": 9 });
    assert_eq!(fixture.decide(&missing, "resolve", stale).await.status, 409);
    for difference in [&missing, &amount] {
        let reason = json!({ "reason": "Confirmado com a adquirente.", "version": difference["version"] });
        let resolved = fixture.decide(difference, "resolve", reason.clone()).await;
        assert_eq!(
            (resolved.status, resolved.text("/state")),
            (200, "resolved"),
            "{}",
            resolved.body
        );
        assert_eq!(resolved.text("/reason"), "Confirmado com a adquirente.");
        assert!(resolved.at("/resolved_by").is_string());
        assert_eq!(fixture.decide(difference, "resolve", reason).await.status, 409);
    }
    assert_eq!(
        fixture.day(DUE).await["open"],
        4,
        "four of the six differences are not resolved"
    );
    // less −1, double +100, missing −100, unknown +50.
    assert_eq!(
        fixture.day(DUE).await["difference"],
        -1_00 + 100_00 - 100_00 + 50_00
    );

    // The next file repeats TID-fine, has another amount of TID-less, and has TID-double once.
    let mut still_less = detail("TID-less");
    still_less.gross = Cents::new(98_00);
    still_less.fee = Some(Cents::new(2_45));
    let next = paid_file(vec![detail("TID-fine"), still_less, detail("TID-double")]);
    let import = fixture.import("extrato-2.txt", next).await;
    assert_eq!(import["records_changed"], 2, "{import}");
    assert_eq!(
        fixture.differences("state=all&kind=amount").await,
        [json!(["amount", "TID-less", -2_00, "open"])]
    );
    assert_eq!(
        fixture.differences("state=all&kind=double").await,
        [json!(["double", "TID-double", 100_00, "gone"])]
    );
    assert_eq!(
        fixture.differences("state=all&kind=missing").await,
        [json!(["missing", null, -100_00, "resolved"])]
    );
    // less −2, missing −100, unknown +50.
    assert_eq!(fixture.day(DUE).await["difference"], -2_00 - 100_00 + 50_00);

    let missing = fixture.one_difference("missing").await;
    let reopened = fixture
        .decide(&missing, "reopen", json!({ "version": missing["version"] }))
        .await;
    assert_eq!(
        (reopened.status, reopened.text("/state")),
        (200, "open"),
        "{}",
        reopened.body
    );
    // The acquirer reports TID-missing after all.
    fixture
        .import("extrato-3.txt", paid_file(vec![detail("TID-missing")]))
        .await;
    assert_eq!(
        fixture.differences("state=all&kind=missing").await,
        [json!(["missing", null, -100_00, "gone"])]
    );
    let gone = fixture.one_difference("missing").await;
    assert_eq!(
        fixture
            .decide(&gone, "resolve", json!({ "reason": "x" }))
            .await
            .status,
        409
    );
    let decisions = "SELECT count(*) FROM audit_log WHERE subject = 'settlement_difference'";
    assert_eq!(
        fixture.app.count(decisions).await,
        3,
        "two were resolved, and one of them was opened again"
    );
}

#[tokio::test]
async fn a_sale_that_becomes_known_later_ends_its_unknown_difference() {
    let fixture = SettlementFixture::open().await;
    fixture.card_sale("TID-other").await;
    fixture.until_projected().await;
    fixture
        .import(
            "extrato.txt",
            paid_file(vec![detail("TID-later"), detail("TID-other")]),
        )
        .await;
    assert_eq!(fixture.differences("").await.len(), 1);
    fixture.card_sale("TID-later").await;
    fixture.until_projected().await;
    // The job marks an incomplete day, and then compares open differences again. A new day has the same effect.
    fixture
        .app
        .execute("UPDATE settlement_day SET is_complete = false")
        .await;
    fixture.run_job().await;
    assert_eq!(
        fixture.differences("state=all").await,
        [json!(["unknown", "TID-later", 100_00, "gone"])]
    );
    assert_eq!(fixture.day(DUE).await["difference"], 0);
}

/// R$ 250,00 of R$ 300,00 go back before anything is settled: the last two installments, and half of the first one.
#[tokio::test]
async fn what_the_acquirer_keeps_for_a_refund_of_a_part_is_no_difference() {
    let fixture = SettlementFixture::open().await;
    for tid in ["TID-kept", "TID-paid", "TID-gone"] {
        fixture.card_sale(tid).await;
        let refund = BusinessCommand::RefundSale(RefundSale {
            sale_id: fixture.app.app.state.ids.sale(Provider::Zoop, tid),
            refunded: Refunded::Amount {
                amount: Cents::new(250_00),
                refund: None,
            },
            names: PaymentNames::default(),
            occurred_at: fixture.app.app.state.clock.now(),
            reason: None,
        });
        fixture.app.submit(&fixture.bakery, refund).await;
    }
    fixture.until_projected().await;
    let half = |tid: &str| {
        let mut detail = detail(tid);
        detail.gross = Cents::new(50_00);
        detail.net = Cents::new(48_75);
        detail.fee = Some(Cents::new(1_25));
        detail
    };
    let file = paid_file(vec![half("TID-kept"), detail("TID-paid")]);
    fixture.import("extrato.txt", file).await;
    assert_eq!(
        fixture.differences("").await,
        [
            json!(["amount", "TID-paid", 50_00, "open"]),
            json!(["missing", null, -50_00, "open"]),
        ]
    );
    let day = fixture.day(DUE).await;
    assert_eq!(
        (&day["expected"], &day["reported"], &day["difference"]),
        (&json!(150_00), &json!(150_00), &json!(0))
    );
}
