//! Lists of transfers: the seller's list, the staff's queue, and the staff's list of all transfers.

use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::transfer::TransferStatus;
use serde_json::{Value, json};

use super::{Balances, WithdrawalFixture, bank_account, credit, request, seller_of};
use crate::support::{Answer, Client, Company};

fn column(answer: &Answer, field: &str) -> Vec<Value> {
    let rows = answer.at("/data").as_array().expect("rows");
    rows.iter().map(|row| row[field].clone()).collect()
}

impl WithdrawalFixture {
    /// A second company with R$ 70,00 and a pending withdrawal of R$ 20,00, which is older than all others in the test.
    async fn second_company(&self) -> Company {
        let other = self.app.company("Farmácia").await;
        bank_account(&self.app, &other).await;
        credit(&self.app, &other, 70_00).await;
        let seller = seller_of(&self.app, &other, SellerRole::Owner).await;
        let response = seller.post("/api/balance/transfers", request(20_00)).await;
        assert_eq!(response.status, 201, "{}", response.body);
        other
    }

    async fn staff_with(&self, role: AdminRole) -> Client {
        self.app.sign_in(&self.app.admin(&[role]).await).await
    }
}

#[tokio::test]
async fn the_queue_has_waiting_withdrawals_first_with_each_company_s_current_balance() {
    let fixture = WithdrawalFixture::open().await;
    let other = fixture.second_company().await;
    let answered = fixture.pending_withdrawal(100_00).await;
    let waiting = fixture.pending_withdrawal(200_00).await;
    fixture.step(&answered, "approve").await;
    fixture.balances().await;
    let queue = fixture.staff.get("/api/admin/balance/withdraws").await;
    let statuses = [
        TransferStatus::Pending,
        TransferStatus::Pending,
        TransferStatus::Approved,
    ];
    assert_eq!(
        column(&queue, "status"),
        statuses.map(|status| json!(status)),
        "{}",
        queue.body
    );
    assert_eq!(
        queue.text("/data/0/id"),
        waiting,
        "the newest of the waiting ones"
    );
    assert_eq!(
        column(&queue, "available_now"),
        [
            1_000_00 - 100_00 - 200_00,
            70_00 - 20_00,
            1_000_00 - 100_00 - 200_00
        ],
        "each company's own balance"
    );
    assert_eq!(queue.text("/data/1/business/name"), "Farmácia");
    assert_eq!(queue.at("/meta/total"), 3, "the queue has no manual transfer");
    let of_one = fixture
        .staff
        .get(&format!("/api/admin/balance/withdraws?business_id={}", other.id))
        .await;
    assert_eq!(of_one.at("/meta/total"), 1);
    let second = fixture
        .staff
        .get("/api/admin/balance/withdraws?perPage=2&page=2")
        .await;
    assert_eq!(column(&second, "status"), [json!(TransferStatus::Approved)]);
    let oldest = fixture.staff.get("/api/admin/balance/withdraws?order=asc").await;
    assert_eq!(column(&oldest, "amount"), [20_00, 200_00, 100_00]);
}

#[tokio::test]
async fn staff_filter_all_transfers_by_status_company_and_day() {
    let fixture = WithdrawalFixture::open().await;
    let other = fixture.second_company().await;
    let id = fixture.pending_withdrawal(100_00).await;
    fixture.step(&id, "refuse").await;
    fixture.balances().await;
    let all = fixture.staff.get("/api/admin/balance/transfers").await;
    assert_eq!(
        all.at("/meta/total"),
        4,
        "two withdrawals and two credits: {}",
        all.body
    );
    assert_eq!(
        all.at("/data/0/status"),
        &json!(TransferStatus::Pending),
        "waiting transfers come first"
    );
    let of_status = format!(
        "/api/admin/balance/transfers?status={}",
        TransferStatus::Refused.number()
    );
    let refused = fixture.staff.get(&of_status).await;
    assert_eq!(column(&refused, "id"), [json!(id)]);
    let path = format!("/api/admin/balance/transfers?business_id={}", other.id);
    assert_eq!(fixture.staff.get(&path).await.at("/meta/total"), 2);
    let today = "start=2026-11-21&end=2026-11-21";
    let of_today = fixture
        .staff
        .get(&format!("/api/admin/balance/transfers?{today}"))
        .await;
    assert_eq!(of_today.at("/meta/total"), 4);
    let before = fixture
        .staff
        .get("/api/admin/balance/transfers?end=2026-11-20")
        .await;
    assert_eq!(before.at("/meta/total"), 0);
    for bad in [
        "status=5",
        "status=x",
        "business_id=1",
        "start=2026-11-31",
        "order=up",
        "perPage=101",
    ] {
        let refused = fixture
            .staff
            .get(&format!("/api/admin/balance/transfers?{bad}"))
            .await;
        let field = bad.split('=').next().expect("a field");
        assert_eq!(
            (refused.status, refused.at("/errors")[field].is_array()),
            (422, true),
            "{bad}"
        );
    }
}

#[tokio::test]
async fn a_commercial_supervisor_must_name_a_company_and_other_permitted_roles_need_not() {
    let fixture = WithdrawalFixture::open().await;
    fixture.pending_withdrawal(100_00).await;
    fixture.balances().await;
    let path = "/api/admin/balance/transfers";
    let of_company = format!("{path}?business_id={}", fixture.company.id);
    for (role, all, one) in [
        (AdminRole::Owner, 200, 200),
        (AdminRole::Admin, 200, 200),
        (AdminRole::Financial, 200, 200),
        (AdminRole::CommercialSupervisor, 422, 200),
        (AdminRole::Commercial, 403, 403),
        (AdminRole::Sac, 403, 403),
        (AdminRole::Operator, 403, 403),
    ] {
        let staff = fixture.staff_with(role).await;
        assert_eq!(staff.get(path).await.status, all, "{role:?}");
        assert_eq!(staff.get(&of_company).await.status, one, "{role:?}");
    }
}

#[tokio::test]
async fn only_owners_and_admins_can_take_a_step_or_change_a_balance() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(100_00).await;
    let hold = json!({ "business_id": fixture.company.id, "amount": 1, "reason": "Teste" });
    let hold_path = |action: &str| {
        let company = fixture.company.id;
        format!("/api/admin/balance/holds/{company}/hld_00000000-0000-4000-8000-000000000001/{action}")
    };
    for role in AdminRole::ALL {
        if matches!(role, AdminRole::Owner | AdminRole::Admin) {
            continue;
        }
        let staff = fixture.staff_with(*role).await;
        for step in ["approve", "process", "refuse", "fail", "pending"] {
            let path = format!("/api/admin/balance/transfers/{id}/{step}");
            assert_eq!(staff.post(&path, json!({})).await.status, 403, "{role:?} {step}");
        }
        for path in [
            "/api/admin/balance/transfers/manual",
            "/api/admin/balance/holds",
            &hold_path("change"),
            &hold_path("release"),
            &hold_path("court-payment"),
        ] {
            assert_eq!(
                staff.post(path, hold.clone()).await.status,
                403,
                "{role:?} {path}"
            );
        }
        assert_eq!(
            staff.get("/api/admin/balance/withdraws").await.status,
            403,
            "{role:?}"
        );
    }
    assert_eq!(
        fixture.balances().await,
        Balances::available(900_00).in_transfer(100_00),
        "the balances are unchanged"
    );
}

#[tokio::test]
async fn a_seller_sees_only_the_transfers_of_their_own_company() {
    let fixture = WithdrawalFixture::open().await;
    let other = fixture.second_company().await;
    let id = fixture.pending_withdrawal(100_00).await;
    fixture.balances().await;
    let of_status = format!(
        "/api/balance/transfers?status={}",
        TransferStatus::Pending.number()
    );
    let own = fixture.seller.get(&of_status).await;
    assert_eq!(column(&own, "id"), [json!(id)]);
    assert_eq!(
        column(&own, "available_now"),
        [Value::Null],
        "the balance cards already show it"
    );
    let others = fixture
        .seller
        .get(&format!("/api/balance/transfers?business_id={}", other.id))
        .await;
    assert_eq!(others.status, 404);
    let body = json!({ "business_id": other.id, "amount": 10_00, "destination": 0, "password": "x" });
    assert_eq!(
        fixture.seller.post("/api/balance/transfers", body).await.status,
        404
    );
}
