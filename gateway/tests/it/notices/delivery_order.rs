//! Every order in which an acquirer may report the steps of a sale, each notice several times. All orders end with the
//! same status and the same balances. Notices that contradict earlier ones wait for staff.

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
    /// The balances of the company for each sale of R$ 300,00, of which R$ 15,00 are fees. A chargeback takes the whole
    /// R$ 300,00 from the company, so it loses the fees.
    available: i64,
    platform_fees: i64,
    /// In some orders, notices contradict earlier ones and wait for staff, with these reasons.
    waits: &'static [&'static str],
}

const REFUNDED: SaleCase = SaleCase {
    notices: &[("sale.captured", None), ("sale.refunded", None)],
    status: "refunded",
    available: 0,
    platform_fees: 0,
    waits: &[],
};

const DISPUTE_WON: SaleCase = SaleCase {
    notices: &[
        ("sale.captured", None),
        ("dispute.opened", Some("d1")),
        ("dispute.won", Some("d1")),
    ],
    status: "succeeded",
    available: 285_00,
    platform_fees: 15_00,
    waits: &[],
};

const DISPUTE_LOST: SaleCase = SaleCase {
    notices: &[
        ("sale.captured", None),
        ("dispute.opened", Some("d1")),
        ("dispute.lost", Some("d1")),
    ],
    status: "charged_back",
    available: -15_00,
    platform_fees: 15_00,
    waits: &[],
};

const SECOND_DISPUTE_LOST: SaleCase = SaleCase {
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
    // The first dispute is reported after the second one was lost.
    waits: &["status_forbids", "dispute_not_opened"],
};

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
    REFUNDED,
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
    DISPUTE_WON,
    DISPUTE_LOST,
    SaleCase {
        notices: &[
            ("sale.captured", None),
            ("dispute.opened", Some("d1")),
            ("sale.refunded", None),
        ],
        status: "refunded",
        available: 0,
        platform_fees: 0,
        // The dispute is reported after the refund.
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
    SECOND_DISPUTE_LOST,
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

/// The notice of a step, dated one hour after the step before it.
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

/// Sends the notices as one array.
async fn send_array(app: &TestApp, reported: Vec<Value>) {
    let answer = app.send_json(&Value::Array(reported)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// Waits until every sale has its status and no notice that can still be recorded waits.
async fn until_resolved(app: &TestApp, case: &SaleCase, sales: usize, company: &Company) {
    let count = i64::try_from(sales).expect("a few");
    let of_company = format!("business_id = '{}'", company.id.uuid());
    let with_status = format!(
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
        app.count(&with_status).await == count && app.count(&still_waiting).await == 0
    })
    .await;
}

async fn assert_balances(app: &TestApp, case: &SaleCase, sales: usize, company: &Company) {
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
        // There is one sale for each order of the notices. Turn by turn, the next notice of every sale is sent.
        for turn in 0..case.notices.len() {
            let reported = |id: &str| -> Vec<Value> {
                let steps = orders.iter().map(|order| order[turn]).enumerate();
                steps
                    .map(|(sale, step)| json_of(&notice(company, &external_id(sale), case, step, id)))
                    .collect()
            };
            // The notice, the identical notice again, and the same fact under another id.
            send_array(&app, reported("a")).await;
            send_array(&app, reported("a")).await;
            send_array(&app, reported("b")).await;
        }
        until_resolved(&app, case, orders.len(), company).await;
        assert_balances(&app, case, orders.len(), company).await;
        // All notices once more, from the beginning.
        let events = app.count("SELECT count(*) FROM event").await;
        for step in 0..case.notices.len() {
            let again = (0..orders.len())
                .map(|sale| json_of(&notice(company, &external_id(sale), case, step, "c")))
                .collect();
            send_array(&app, again).await;
        }
        until_resolved(&app, case, orders.len(), company).await;
        assert_balances(&app, case, orders.len(), company).await;
        assert_eq!(
            app.count("SELECT count(*) FROM event").await,
            events,
            "{:?}",
            case.notices
        );
    }
}

/// The reasons of waiting rows, which are pairs of notice id and reason.
fn reasons(waiting: &Value) -> BTreeSet<String> {
    let rows = waiting.as_array().expect("rows").iter();
    rows.map(|row| row[1].as_str().expect("a reason").to_owned())
        .collect()
}

#[tokio::test]
async fn a_dispute_won_before_it_opened_waits_and_then_resolves() {
    let (app, company) = app_and_company().await;
    let case = &DISPUTE_WON;
    let reported = |step| notice(&company, "nsu-1", case, step, "a");
    assert_eq!(app.send(&reported(0)).await.text("/result"), "recorded");
    let won = app.send(&reported(2)).await;
    assert_eq!((won.status, won.text("/reason")), (202, "dispute_not_opened"));
    assert_eq!(app.count_events("DisputeWon").await, 0);
    assert_eq!(app.send(&reported(1)).await.text("/result"), "recorded");
    until_resolved(&app, case, 1, &company).await;
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
    let case = &DISPUTE_LOST;
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
    assert_balances(&app, case, 1, &company).await;
}

#[tokio::test]
async fn a_contradicting_notice_waits_and_a_second_dispute_waits_for_the_end_of_the_first() {
    let (app, company) = app_and_company().await;
    let case = &SECOND_DISPUTE_LOST;
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
        reasons(&app.waiting_exceptions().await),
        BTreeSet::from(["dispute_won".to_owned()])
    );
}

#[tokio::test]
async fn a_notice_without_its_company_is_matched_by_the_known_sale() {
    let (app, company) = app_and_company().await;
    let case = &REFUNDED;
    app.send(&notice(&company, "nsu-1", case, 0, "a")).await;
    let refunded = json!({"id": "evt-refund", "type": "sale.refunded", "occurred_at": "2026-11-20T19:00:00Z",
                          "data": {"external_id": "nsu-1", "reason": "Devolução"}});
    assert_eq!(app.send_json(&refunded).await.text("/result"), "recorded");
    assert_balances(&app, case, 1, &company).await;
    let reason = "SELECT count(*) FROM event WHERE payload->'SaleCanceled'->>'reason' = 'Devolução'";
    assert_eq!(app.count(reason).await, 1);
}
