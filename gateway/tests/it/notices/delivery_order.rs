//! Every order in which an acquirer may report the steps of a sale, each notice several times. All orders end in the
//! same state or wait for staff, and no order costs any party a cent more.

use std::collections::BTreeSet;

use gateway_platform::providers::CanonicalNotice;
use serde_json::{Value, json};

use crate::support::acquirer::{app_and_company, capture, json_of, with_type};
use crate::support::wait::until;
use crate::support::{Company, TestApp};

/// The steps of a sale in their right order, and the expected end for any order of the notices. Steps about a dispute
/// name it.
struct SaleCase {
    notices: &'static [(&'static str, Option<&'static str>)],
    status: &'static str,
    /// The seller's amounts for a sale of R$ 300,00 with 5 % of fees.
    available: i64,
    platform_fees: i64,
    /// The reason why notices wait forever in some orders: they contradict earlier notices.
    waits: &'static [&'static str],
}

const SALE_CASES: [SaleCase; 9] = [
    SaleCase {
        notices: &[
            ("sale.created", None),
            ("sale.captured", None),
            ("sale.canceled", None),
        ],
        status: "canceled",
        available: 0,
        platform_fees: 0,
        waits: &[],
    },
    SaleCase {
        notices: &[("sale.captured", None), ("sale.refunded", None)],
        status: "refunded",
        available: 0,
        platform_fees: 0,
        waits: &[],
    },
    SaleCase {
        notices: &[
            ("sale.created", None),
            ("sale.captured", None),
            ("sale.reversed", None),
        ],
        status: "reversed",
        available: 0,
        platform_fees: 0,
        waits: &[],
    },
    SaleCase {
        notices: &[
            ("sale.captured", None),
            ("dispute.opened", Some("d1")),
            ("dispute.won", Some("d1")),
        ],
        status: "succeeded",
        available: 285_00,
        platform_fees: 15_00,
        waits: &[],
    },
    SaleCase {
        notices: &[
            ("sale.captured", None),
            ("dispute.opened", Some("d1")),
            ("dispute.lost", Some("d1")),
        ],
        status: "charged_back",
        available: -15_00,
        platform_fees: 15_00,
        waits: &[],
    },
    SaleCase {
        notices: &[
            ("sale.captured", None),
            ("dispute.opened", Some("d1")),
            ("sale.refunded", None),
        ],
        status: "refunded",
        available: 0,
        platform_fees: 0,
        // The dispute was opened after the buyer had the money back.
        waits: &["status_forbids"],
    },
    SaleCase {
        notices: &[
            ("sale.captured", None),
            ("dispute.opened", Some("d1")),
            ("dispute.won", Some("d1")),
            ("sale.refunded", None),
        ],
        status: "refunded",
        available: 0,
        platform_fees: 0,
        waits: &["status_forbids", "dispute_not_opened"],
    },
    SaleCase {
        notices: &[
            ("sale.created", None),
            ("sale.captured", None),
            ("dispute.opened", Some("d1")),
            ("dispute.lost", Some("d1")),
        ],
        status: "charged_back",
        available: -15_00,
        platform_fees: 15_00,
        waits: &[],
    },
    SaleCase {
        notices: &[
            ("sale.captured", None),
            ("dispute.opened", Some("d1")),
            ("dispute.won", Some("d1")),
            ("dispute.opened", Some("d2")),
            ("dispute.lost", Some("d2")),
        ],
        status: "charged_back",
        available: -15_00,
        platform_fees: 15_00,
        // The first dispute is reported after the second one has cost the sale its money.
        waits: &["status_forbids", "dispute_not_opened"],
    },
];

fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(count - 1);
    let grown = shorter.iter().flat_map(|order| {
        (0..count).map(|place| {
            let mut longer = order.clone();
            longer.insert(place, count - 1);
            longer
        })
    });
    grown.collect()
}

/// The notice of a step, one hour after the step before it.
fn notice(company: &Company, external_id: &str, case: &SaleCase, step: usize, id: &str) -> CanonicalNotice {
    let (r#type, dispute_id) = case.notices[step];
    let captured = capture(company, external_id);
    let hours = i64::try_from(step).expect("a few");
    let mut notice = with_type(&captured, r#type);
    notice.id = format!("{external_id}-{step}-{id}");
    notice.occurred_at += chrono::Duration::hours(hours);
    notice.data.dispute_id = dispute_id.map(str::to_owned);
    notice
}

/// Reports the notices of the same turn of all sales in one array.
async fn send_in_order(app: &TestApp, reported: Vec<Value>) {
    let answer = app.send_json(&Value::Array(reported)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// Waits until every sale has its status and no notice that can still be recorded waits.
async fn until_settled(app: &TestApp, case: &SaleCase, sales: usize, company: &Company) {
    let count = i64::try_from(sales).expect("a few");
    let of_company = format!("business_id = '{}'", company.id.uuid());
    let settled = format!(
        "SELECT count(*) FROM sale WHERE {of_company} AND status = '{}'",
        case.status
    );
    let reasons = case
        .waits
        .iter()
        .map(|reason| format!(" AND reason <> '{reason}'"))
        .collect::<String>();
    let still_waiting =
        format!("SELECT count(*) FROM exception WHERE {of_company} AND status = 'waiting'{reasons}");
    let what = format!("{count} sales that are {} after {:?}", case.status, case.notices);
    until(&what, async || {
        app.count(&settled).await == count && app.count(&still_waiting).await == 0
    })
    .await;
}

async fn balances_are(app: &TestApp, case: &SaleCase, sales: usize, company: &Company) {
    let count = i64::try_from(sales).expect("a few");
    for (account, each) in [
        ("available", case.available),
        ("platform_fees", case.platform_fees),
        ("receivable", 0),
        ("in_dispute", 0),
    ] {
        let sql = format!(
            "SELECT {account} FROM business_head WHERE business_id = '{}'",
            company.id.uuid()
        );
        assert_eq!(
            app.count(&sql).await,
            each * count,
            "{account} of {:?}",
            case.notices
        );
    }
}

#[tokio::test]
async fn every_order_and_repeat_of_a_sales_notices_has_the_same_result() {
    let (app, _) = app_and_company().await;
    let mut companies = vec![];
    for number in 0..SALE_CASES.len() {
        companies.push(app.company(&format!("Loja {number}")).await);
    }
    for (number, (case, company)) in SALE_CASES.iter().zip(&companies).enumerate() {
        let orders = permutations(case.notices.len());
        let external_id = |sale: usize| format!("case-{number}-{sale}");
        for turn in 0..case.notices.len() {
            let reported = |id: &str| -> Vec<Value> {
                let steps = orders.iter().map(|order| order[turn]).enumerate();
                steps
                    .map(|(sale, step)| json_of(&notice(company, &external_id(sale), case, step, id)))
                    .collect()
            };
            // The notice, the identical notice again, and the same fact under another id.
            send_in_order(&app, reported("a")).await;
            send_in_order(&app, reported("a")).await;
            send_in_order(&app, reported("b")).await;
        }
        until_settled(&app, case, orders.len(), company).await;
        balances_are(&app, case, orders.len(), company).await;
        // All notices once more, from the beginning.
        let events = app.count("SELECT count(*) FROM event").await;
        for step in 0..case.notices.len() {
            let again = (0..orders.len())
                .map(|sale| json_of(&notice(company, &external_id(sale), case, step, "c")))
                .collect();
            send_in_order(&app, again).await;
        }
        until_settled(&app, case, orders.len(), company).await;
        balances_are(&app, case, orders.len(), company).await;
        assert_eq!(
            app.count("SELECT count(*) FROM event").await,
            events,
            "{:?}",
            case.notices
        );
    }
}

fn reasons(waiting: &Value) -> BTreeSet<String> {
    let rows = waiting.as_array().expect("rows").iter();
    rows.map(|row| row[1].as_str().expect("a reason").to_owned())
        .collect()
}

#[tokio::test]
async fn a_dispute_won_before_it_opened_waits_and_then_resolves() {
    let (app, company) = app_and_company().await;
    let case = &SALE_CASES[3];
    let reported = |step| notice(&company, "nsu-1", case, step, "a");
    assert_eq!(app.send(&reported(0)).await.text("/result"), "recorded");
    let won = app.send(&reported(2)).await;
    assert_eq!((won.status, won.text("/reason")), (202, "dispute_not_opened"));
    assert_eq!(app.count_events("DisputeWon").await, 0);
    assert_eq!(app.send(&reported(1)).await.text("/result"), "recorded");
    until_settled(&app, case, 1, &company).await;
    assert_eq!(
        (
            app.count_events("SaleDisputed").await,
            app.count_events("DisputeWon").await
        ),
        (1, 1)
    );
    let resolved = "SELECT count(*) FROM exception WHERE status = 'resolved' AND resolution = 'recorded'";
    assert_eq!(app.count(resolved).await, 1);
}

#[tokio::test]
async fn a_dispute_lost_before_it_opened_charges_back_once() {
    let (app, company) = app_and_company().await;
    let case = &SALE_CASES[4];
    let reported = |step, id| notice(&company, "nsu-1", case, step, id);
    app.send(&reported(0, "a")).await;
    assert_eq!(app.send(&reported(2, "a")).await.text("/result"), "recorded");
    assert_eq!(app.send(&reported(1, "a")).await.text("/result"), "already");
    assert_eq!(app.send(&reported(2, "b")).await.text("/result"), "already");
    assert_eq!(
        (
            app.count_events("SaleDisputed").await,
            app.count_events("SaleChargedBack").await
        ),
        (0, 1)
    );
    balances_are(&app, case, 1, &company).await;
}

#[tokio::test]
async fn a_contradicting_notice_waits_and_a_second_dispute_waits_for_the_end_of_the_first() {
    let (app, company) = app_and_company().await;
    let case = &SALE_CASES[8];
    let reported = |step, id| notice(&company, "nsu-1", case, step, id);
    app.send(&reported(0, "a")).await;
    app.send(&reported(1, "a")).await;
    let second = app.send(&reported(3, "a")).await;
    assert_eq!(
        (second.status, second.text("/reason")),
        (202, "another_dispute_open")
    );
    app.send(&reported(2, "a")).await;
    // The second is opened after the first was won. Its notice stops waiting a moment after its event is recorded.
    let recorded = "SELECT count(*) FROM exception WHERE status = 'resolved' AND resolution = 'recorded'";
    app.until_count(recorded, 1).await;
    assert_eq!(app.count_events("SaleDisputed").await, 2);
    // The first dispute was won, so the notice of its loss waits for staff.
    let mut lost = reported(4, "b");
    lost.data.dispute_id = Some("d1".to_owned());
    let answer = app.send(&lost).await;
    assert_eq!((answer.status, answer.text("/reason")), (202, "dispute_won"));
    assert_eq!(
        reasons(&app.waiting().await),
        BTreeSet::from(["dispute_won".to_owned()])
    );
}

#[tokio::test]
async fn a_notice_without_its_company_is_matched_by_the_known_sale() {
    let (app, company) = app_and_company().await;
    let case = &SALE_CASES[1];
    app.send(&notice(&company, "nsu-1", case, 0, "a")).await;
    let refunded = json!({"id": "evt-refund", "type": "sale.refunded", "occurred_at": "2026-11-20T19:00:00Z",
                          "data": {"external_id": "nsu-1", "reason": "Devolução"}});
    assert_eq!(app.send_json(&refunded).await.text("/result"), "recorded");
    balances_are(&app, case, 1, &company).await;
    let reason = "SELECT count(*) FROM event WHERE payload->'SaleCanceled'->>'reason' = 'Devolução'";
    assert_eq!(app.count(reason).await, 1);
}
