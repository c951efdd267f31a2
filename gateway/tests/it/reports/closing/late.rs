//! A sale that is reported months late and refunded on the day on which its installments would settle.

use gateway_identity::roles::AdminRole;
use ledger_domain::fees::{MdrFees, PlanKind, PlanTerms};
use ledger_domain::{PlanId, Rate};
use serde_json::{Value, json};

use super::{DECEMBER, VARIABLES};
use crate::reports::get;
use crate::support::{PARTS_WITHOUT_EFFECTS, TestApp, plan};

const NOTICES: &str = include_str!("../../../../../fixtures/notices/late_capture_then_refund.jsonl");
/// After the refund of the fixture.
const REFUNDED: &str = "2026-11-28T16:00:00-03:00";

fn anticipating(id: PlanId) -> PlanTerms {
    let terms = plan(id);
    let PlanKind::Mdr { visamaster, others } = terms.kind else {
        panic!("the plan of tests has MDR fees");
    };
    let advance = || Rate::parse("1").expect("a rate");
    let anticipated = |fees: MdrFees| MdrFees {
        advance: advance(),
        ..fees
    };
    PlanTerms {
        kind: PlanKind::Mdr {
            visamaster: anticipated(visamaster),
            others: anticipated(others),
        },
        ..plan(id)
    }
}

#[tokio::test]
async fn every_month_between_a_late_capture_and_its_refund_balances_and_says_why_it_is_open() {
    let variables = [&VARIABLES[..], &[("RAZAO_NOW", REFUNDED)]].concat();
    let app = TestApp::start_with(&variables, PARTS_WITHOUT_EFFECTS).await;
    // An anticipating plan: all installments are due some days after the sale, and none was settled before its refund.
    let company = app.company_with("Padaria Aurora", anticipating).await;
    for notice in NOTICES.lines() {
        // The tests' companies sell by card machines.
        let notice = notice
            .replace("<company>", &company.id.to_string())
            .replace("\"solution\":2", "\"solution\":1");
        let answer = app.send_text(&notice).await;
        assert_eq!(
            (answer.status, answer.text("/result")),
            (200, "recorded"),
            "{}",
            answer.body
        );
    }
    let admin = app.admin(&[AdminRole::Admin]).await;
    let variables = [&VARIABLES[..], &[("RAZAO_NOW", DECEMBER)]].concat();
    let app = app.restart(&variables, PARTS_WITHOUT_EFFECTS).await;
    let position = app.ledger_position().await.to_string();
    let staff = app.sign_in(&admin).await.with("ledger-position", &position);
    for (month, open) in [
        ("2026-07", false),
        ("2026-08", true),
        ("2026-09", true),
        ("2026-10", true),
        ("2026-11", false),
    ] {
        let path = format!("/api/admin/businesses/{}/closing?month={month}", company.id);
        let closing = get(&staff, &path).await;
        assert_eq!(closing["balanced"], json!(true), "{month}: {closing}");
        let net = closing["open_receivables"].as_i64().expect("cents");
        assert_eq!(net > 0, open, "{month}: {closing}");
        let overdue = closing["overdue_receivables"].as_array().expect("a list");
        let reasons: Vec<&Value> = overdue.iter().map(|each| &each["reason"]).collect();
        assert!(
            reasons.iter().all(|reason| **reason == "recorded_late"),
            "{closing}"
        );
        if matches!(month, "2026-09" | "2026-10") {
            assert_eq!(reasons, ["recorded_late"], "{month}: {closing}");
        }
        if !open {
            assert_eq!(reasons, [""; 0], "{month}: {closing}");
        }
    }
}
