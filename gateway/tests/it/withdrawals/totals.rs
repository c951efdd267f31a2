//! The totals of transfers by status: each is the sum of the list behind it.

use chrono::{DateTime, Utc};
use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::business::{BusinessCommand, MakeManualTransfer};
use ledger_domain::transfer::{Direction, TransferStatus};
use ledger_domain::{Cents, TransferId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{WithdrawalFixture, bank_account, credit, request, seller_of};
use crate::support::{Client, Company};

const TOTALS: &str = "/api/admin/balance/transfers/totals";

impl WithdrawalFixture {
    async fn adjustment_at(&self, company: &Company, at: &str, amount: i64) {
        let occurred_at: DateTime<Utc> = at.parse().expect("an instant");
        let command = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: TransferId::from_uuid(Uuid::now_v7()),
            direction: Direction::In,
            amount: Cents::new(amount),
            description: "Acerto".to_owned(),
            allow_negative: false,
            occurred_at,
        });
        self.app.submit(company, command).await;
    }

    /// Withdrawals of each status, and adjustments around the midnights of Brasília and of UTC.
    async fn transfers_of_two_companies(&self) -> Company {
        let other = self.app.company("Farmácia").await;
        bank_account(&self.app, &other).await;
        for (number, at) in [
            "2026-11-18T02:59:59.999999Z",
            "2026-11-18T03:00:00Z",
            "2026-11-19T00:00:00Z",
            "2026-11-19T14:30:00Z",
            "2026-11-20T02:59:00Z",
            "2026-11-20T23:59:59Z",
        ]
        .iter()
        .enumerate()
        {
            let amount = 10_00 + i64::try_from(number).expect("a small number");
            self.adjustment_at(&self.company, at, amount).await;
            self.adjustment_at(&other, at, 100 * amount).await;
        }
        credit(&self.app, &other, 70_00).await;
        let seller = seller_of(&self.app, &other, SellerRole::Owner).await;
        let answer = seller.post("/api/balance/transfers", request(20_00)).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        self.pending_withdrawal(31_00).await;
        for steps in [
            &["approve"][..],
            &["process"],
            &["process", "approve"],
            &["refuse"],
            &["process", "fail"],
        ] {
            let id = self.pending_withdrawal(40_00).await;
            for step in steps {
                let answer = self.step(&id, step).await;
                assert_eq!(answer.status, 200, "{step}: {}", answer.body);
            }
        }
        let reopened = self.pending_withdrawal(50_00).await;
        for step in ["process", "fail"] {
            self.step(&reopened, step).await;
        }
        assert_eq!(self.reopen(&reopened).await.status, 200);
        // Waits until the read models have caught up.
        self.balances().await;
        other
    }
}

async fn get(client: &Client, path: &str) -> Value {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.body
}

/// The sums of a list's rows.
fn sums_of(rows: &[Value]) -> Value {
    let sum = |column: &str| -> i64 { rows.iter().filter_map(|row| row[column].as_i64()).sum() };
    json!({ "count": rows.len(), "amount": sum("amount"), "fee": sum("fee"), "net_amount": sum("net_amount") })
}

#[tokio::test]
async fn each_total_is_the_sum_of_the_list_behind_it_with_and_without_filters() {
    let fixture = WithdrawalFixture::open().await;
    let other = fixture.transfers_of_two_companies().await;
    let mut counted = 0;
    for company in ["", &format!("&business_id={}", other.id)] {
        for kind in ["", "&kind=0", "&kind=1", "&kind=2"] {
            for period in [
                "",
                "start=2026-11-18&end=2026-11-20",
                "start=2026-11-19&end=2026-11-19&time_zone=UTC",
                "start=2026-11-18T01:00:00Z&end=2026-11-20T12:00:00Z",
                "start=2026-11-19T14:00:00Z&end=2026-11-19T15:00:00Z",
                "start=2026-11-20",
                "end=2026-11-18",
                "start=2026-12-01&end=2026-12-02",
            ] {
                let query = format!("{period}{company}{kind}");
                let totals = get(&fixture.staff, &format!("{TOTALS}?{query}")).await;
                let list = get(
                    &fixture.staff,
                    &format!("/api/admin/balance/transfers?perPage=100&{query}"),
                )
                .await;
                let rows = list["data"].as_array().expect("rows");
                assert_eq!(totals["total"], sums_of(rows), "{query}");
                for status in TransferStatus::ALL {
                    let of_status: Vec<_> = rows
                        .iter()
                        .filter(|row| row["status"] == json!(status))
                        .cloned()
                        .collect();
                    let mut expected = sums_of(&of_status);
                    expected["status"] = json!(status);
                    assert_eq!(
                        totals["by_status"][usize::from(status.number())],
                        expected,
                        "{query}"
                    );
                    counted += of_status.len();
                }
            }
        }
    }
    assert!(counted > 100, "{counted} rows were compared");
}

#[tokio::test]
async fn only_owners_admins_and_financial_staff_read_the_totals() {
    let fixture = WithdrawalFixture::open().await;
    for role in AdminRole::ALL {
        let may_read = matches!(role, AdminRole::Owner | AdminRole::Admin | AdminRole::Financial);
        let staff = fixture.app.sign_in(&fixture.app.admin(&[*role]).await).await;
        let status = if may_read { 200 } else { 403 };
        assert_eq!(staff.get(TOTALS).await.status, status, "{role:?}");
    }
}

#[tokio::test]
async fn invalid_parameters_of_the_totals_are_named() {
    let fixture = WithdrawalFixture::open().await;
    for (bad, field) in [
        ("kind=3", "kind"),
        ("start=2026-11-31", "start"),
        ("business_id=1", "business_id"),
    ] {
        let refused = fixture.staff.get(&format!("{TOTALS}?{bad}")).await;
        assert_eq!(refused.status, 422, "{bad}: {}", refused.body);
        assert!(
            refused.at(&format!("/errors/{field}")).is_array(),
            "{}",
            refused.body
        );
    }
}
