//! Withdrawals to a bank account that has just been changed, and by a user whose access is new: the marks for staff, and
//! the e-mail to the owners.

use chrono::TimeDelta;
use gateway_identity::rate_limit::{LimitKind, LimitedCaller};
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::companies::destination_change_add;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::TransferStatus;
use reqwest::Method;
use serde_json::{Value, json};

use super::{WithdrawalFixture, bank_account, request, seller_of};
use crate::support::movements::rows;
use crate::support::{TestApp, noon};

fn account(number: &str) -> Value {
    json!({
        "bank_code": "033", "type": "CHECKING", "routing_number": "0001", "account_number": number,
        "account_digit": "9",
    })
}

impl WithdrawalFixture {
    fn accounts(&self) -> String {
        format!("/api/business/{}/bank-accounts", self.company.id)
    }

    /// The pending withdrawals by amount, and whether each is marked for staff.
    async fn marks(&self, query: &str) -> Vec<(i64, bool)> {
        let pending = TransferStatus::Pending.number();
        let path = format!("/api/admin/balance/transfers?status={pending}{query}");
        let page = self.staff.get(&path).await;
        assert_eq!(page.status, 200, "{}", page.body);
        let mark = |row: &Value| {
            let amount = row["amount"].as_i64().expect("cents");
            (amount, !row["destination_changed_at"].is_null())
        };
        let mut marks: Vec<_> = rows(&page.body).iter().map(mark).collect();
        marks.sort_unstable();
        marks
    }

    async fn until_listed(&self, count: usize) {
        crate::support::wait::until("the withdrawals are listed", async || {
            self.marks("").await.len() == count
        })
        .await;
    }
}

#[tokio::test]
async fn a_withdrawal_is_marked_for_seven_days_after_the_change() {
    for (days, marked) in [(6, true), (7, false), (8, false)] {
        let fixture = WithdrawalFixture::open().await;
        let client = fixture.app.app.state.pool.get().await.expect("a connection");
        // The tests' clock starts at noon, so the request comes a little after it.
        let changed_at = noon() - TimeDelta::days(days);
        destination_change_add(&**client, fixture.company.id, changed_at, TimeDelta::days(7))
            .await
            .expect("a change");
        drop(client);
        fixture.pending_withdrawal(20_00).await;
        fixture.until_listed(1).await;
        assert_eq!(fixture.marks("").await, [(20_00, marked)], "{days} days");
        let found = fixture.marks("&new_destination=1").await.len();
        assert_eq!(found, usize::from(marked), "{days} days");
    }
}

#[tokio::test]
async fn only_a_withdrawal_to_the_new_account_is_marked() {
    let fixture = WithdrawalFixture::open().await;
    fixture.pending_withdrawal(20_00).await;
    let added = fixture.seller.post(&fixture.accounts(), account("777001")).await;
    assert_eq!(added.status, 201, "{}", added.body);
    // Another account is no new destination until it is the default one.
    fixture.pending_withdrawal(21_00).await;
    let new = added.text("/bank_accounts/1/id").to_owned();
    let path = format!("{}/{new}/default", fixture.accounts());
    assert_eq!(fixture.seller.post(&path, json!({})).await.status, 200);
    fixture.pending_withdrawal(22_00).await;
    let mut pix = request(23_00);
    pix["destination"] = json!(1);
    assert_eq!(
        fixture.seller.post("/api/balance/transfers", pix).await.status,
        201
    );
    fixture.until_listed(4).await;
    let all = [(20_00, false), (21_00, false), (22_00, true), (23_00, false)];
    assert_eq!(fixture.marks("").await, all);
    assert_eq!(fixture.marks("&new_destination=1").await, [(22_00, true)]);
    assert_eq!(fixture.marks("&new_destination=0").await, all);
    let own = fixture.seller.get("/api/balance/transfers").await;
    let marked = |row: &Value| !row["destination_changed_at"].is_null();
    assert!(!rows(&own.body).iter().any(marked), "sellers see no mark");
    let invalid = fixture
        .staff
        .get("/api/admin/balance/transfers?new_destination=2")
        .await;
    assert_eq!(invalid.status, 422);
}

/// Removing the access does not remove the mark.
#[tokio::test]
async fn a_withdrawal_by_a_user_is_marked_for_seven_days_after_the_access() {
    let fixture = WithdrawalFixture::open().await;
    let since = async |withdrawal: &str| {
        let found = fixture
            .staff
            .get("/api/admin/balance/transfers?perPage=100")
            .await;
        let of = |row: &&Value| row["id"] == withdrawal;
        let row = rows(&found.body)
            .iter()
            .find(of)
            .cloned()
            .expect("the withdrawal");
        row["requester_access_at"].clone()
    };
    let user = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let client = fixture.app.sign_in(&user).await;
    let access = |role: i64| json!({ "business_id": fixture.company.id, "role_id": role });
    let path = format!("/api/admin/sellers/{}/business/access", user.id);
    assert_eq!(fixture.staff.post(&path, access(7)).await.status, 200);
    assert_eq!(fixture.staff.post(&path, access(1)).await.status, 200);
    let asked = client.post("/api/balance/transfers", request(20_00)).await;
    assert_eq!(asked.status, 201, "{}", asked.body);
    let withdrawal = asked.text("/id").to_owned();
    fixture.until_listed(1).await;
    let removed = fixture.staff.send(Method::DELETE, &path, Some(access(1))).await;
    assert_eq!(removed.status, 204, "{}", removed.body);
    let at = since(&withdrawal).await;
    assert!(
        at.as_str().is_some_and(|at| at.starts_with("2026-11-21T15:0")),
        "{at}"
    );
    let own = fixture.seller.get("/api/balance/transfers").await;
    assert_eq!(
        own.at("/data/0/requester_access_at"),
        &json!(null),
        "sellers see no mark"
    );
    // The log of changes stays as it is, so the request is what is moved.
    for (hours, marked) in [(7 * 24 - 1, true), (7 * 24 + 1, false)] {
        fixture
            .app
            .execute(&format!(
                "UPDATE transfer SET requested_at = moved.at, updated_at = moved.at
                   FROM (SELECT timestamptz '2026-11-21 15:00Z' + interval '{hours} hours' AS at) AS moved
                  WHERE kind = 0"
            ))
            .await;
        assert_eq!(!since(&withdrawal).await.is_null(), marked, "{hours} hours");
    }
}

/// The limit is on the e-mails that a user's actions send to others.
#[tokio::test]
async fn a_change_counts_once_in_the_e_mail_limit_although_three_owners_get_it() {
    let fixture = WithdrawalFixture::open().await;
    for _ in 0..2 {
        seller_of(&fixture.app, &fixture.company, SellerRole::Owner).await;
    }
    let (path, limits) = (fixture.accounts(), &fixture.app.app.state.accounts.limits);
    let author = fixture
        .app
        .text("SELECT seller_id::text FROM business_access ORDER BY seller_id LIMIT 1")
        .await;
    let author = UserId::from_uuid(author.parse().expect("an id")).to_string();
    let take = async || {
        let caller = LimitedCaller::from_address([10, 0, 0, 1].into());
        limits.take(LimitKind::EmailToOther, &author, caller).await
    };
    // All but one of the 60 that the limit allows at once.
    for _ in 0..60 - 1 {
        take().await.expect("within the limit");
    }
    let added = fixture.seller.post(&path, account("777001")).await;
    assert_eq!(added.status, 201, "{}", added.body);
    let queued = "SELECT count(*) FROM mail WHERE kind = 'bank-account-changed'";
    assert_eq!(fixture.app.count(queued).await, 3);
    assert!(take().await.is_err(), "the change has taken the last one");
}

#[tokio::test]
async fn owners_get_an_e_mail_about_each_change_of_an_account() {
    // Unlike the fixture's, this gateway sends e-mails.
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    bank_account(&app, &company).await;
    let fixture = WithdrawalFixture {
        seller: seller_of(&app, &company, SellerRole::Owner).await,
        staff: app.sign_in(&app.admin(&[AdminRole::Admin]).await).await,
        app,
        company,
    };
    let email = fixture.app.text("SELECT email FROM seller_user").await;
    let added = fixture.seller.post(&fixture.accounts(), account("777001")).await;
    let new = added.text("/bank_accounts/1/id").to_owned();
    let staff = format!("/api/admin/businesses/{}/bank-accounts", fixture.company.id);
    let path = format!("{staff}/{new}/default");
    assert_eq!(fixture.staff.post(&path, json!({})).await.status, 200);
    assert_eq!(
        fixture.staff.post(&path, json!({})).await.status,
        200,
        "it is the default account already"
    );
    let emails = fixture.app.emails_to(&email).await;
    assert_eq!(emails.len(), 2, "{emails:?}");
    let [added, chosen] = [&emails[0].text, &emails[1].text];
    assert!(
        added.contains("Uma conta bancária da empresa Padaria foi adicionada"),
        "{added}"
    );
    assert!(added.contains("conta final 001-9"), "{added}");
    assert!(!added.contains("777001"), "not the full number: {added}");
    assert!(added.contains("a partir do IP 127.0.0.1"), "{added}");
    assert!(
        added.contains("em 21/11/2026 às 12:00"),
        "by the business clock: {added}"
    );
    assert!(chosen.contains("escolhida como destino dos saques"), "{chosen}");
    assert!(chosen.contains("pela equipe"), "{chosen}");
    assert!(!chosen.contains("IP"), "staff stay anonymous: {chosen}");
    let has_link = added.contains("dados-da-empresa");
    assert!(has_link, "a link to the panel: {added}");
    let old = fixture
        .seller
        .get(&format!("/api/business/{}", fixture.company.id))
        .await;
    let old = old.text("/bank_accounts/1/id").to_owned();
    let removed = fixture
        .seller
        .send(Method::DELETE, &format!("{}/{old}", fixture.accounts()), None)
        .await;
    assert_eq!(removed.status, 204);
    assert!(
        fixture
            .app
            .last_email_to(&email)
            .await
            .text
            .contains("foi removida")
    );
}
