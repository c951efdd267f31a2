//! The audit log: which changes of users and balances it keeps, and which part of it each reader sees.

use chrono::TimeDelta;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::users::audit_log::{AuditAudience, AuditLogFilter, AuditSubject};
use gateway_platform::list::list_batch;
use gateway_platform::word_search::WordSearch;
use ledger_domain::calendar::Instant;
use serde_json::{Value, json};

use super::{ADMIN, OPERATOR};
use crate::projections::indexes::scans_since_last_call;
use crate::spreadsheets::sheet::download;
use crate::support::{Answer, Client, Company, PASSWORD, TestApp, User, noon};

struct HistoryFixture {
    app: TestApp,
    bakery: Company,
    pharmacy: Company,
}

impl HistoryFixture {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let (bakery, pharmacy) = (app.company("Padaria").await, app.company("Farmácia").await);
        Self {
            app,
            bakery,
            pharmacy,
        }
    }

    async fn signed_in(&self, access: &[(&Company, SellerRole)]) -> (User, Client) {
        let user = self.app.seller(access).await;
        let client = self.app.sign_in(&user).await;
        let client = client.with("x-business-id", &access[0].0.id.to_string());
        (user, client)
    }
}

fn entries(answer: &Answer) -> &[Value] {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.at("/data").as_array().expect("entries")
}

fn actions(answer: &Answer) -> Vec<&str> {
    entries(answer)
        .iter()
        .map(|entry| entry["action"].as_str().expect("an action"))
        .collect()
}

#[tokio::test]
async fn an_entry_has_the_actor_the_address_the_values_before_and_after_and_never_a_password() {
    let fixture = HistoryFixture::open().await;
    let (actor, owner) = fixture.signed_in(&[(&fixture.bakery, SellerRole::Owner)]).await;
    let body = json!({
        "name": "Célia Prado", "email": "celia@padaria.example", "password": "senha-secreta-1",
        "document": "52998224725", "role_id": OPERATOR.id(), "businesses_ids": [fixture.bakery.id.to_string()],
    });
    let made = owner.post("/api/business/sellers", body).await;
    let id = made.text("/id");
    let path = format!("/api/business/sellers/{id}");
    let change =
        json!({ "name": "Célia Lima", "active": true, "password": "senha-secreta-2", "role_id": ADMIN.id() });
    assert_eq!(owner.patch(&path, change).await.status, 200);
    let history = owner.get(&format!("/api/business/users/{id}/history")).await;
    assert_eq!(
        actions(&history),
        [
            "set-password",
            "update",
            "change-access",
            "grant-access",
            "create"
        ]
    );
    assert_eq!(history.at("/meta/total"), &json!(5));
    let [password, update, access_changed, granted, created] = entries(&history) else {
        unreachable!("five entries")
    };
    for entry in entries(&history) {
        assert_eq!(entry["actor"]["id"], actor.id.to_string());
        assert_eq!(
            (&entry["actor"]["kind"], &entry["actor"]["name"]),
            (&json!("seller"), &json!("Ana Souza"))
        );
        assert_eq!(
            (&entry["actor"]["is_subject"], &entry["subject_id"]),
            (&json!(false), &json!(id))
        );
        assert_eq!(entry["address"], "127.0.0.1");
    }
    assert_eq!(
        (&password["before"], &password["after"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(update["before"], json!({ "name": "Célia Prado" }));
    assert_eq!(update["after"], json!({ "name": "Célia Lima" }));
    let access = |role: &str| json!({ "business_id": fixture.bakery.id.to_string(), "business": "Padaria", "role": role });
    assert_eq!(
        (&access_changed["before"], &access_changed["after"]),
        (&access("operator"), &access("admin"))
    );
    assert_eq!(
        (&granted["before"], &granted["after"]),
        (&Value::Null, &access("operator"))
    );
    assert_eq!(created["before"], Value::Null);
    assert_eq!(
        created["after"],
        json!({ "name": "Célia Prado", "email": "celia@padaria.example", "document": "52998224725", "active": true })
    );
    let secrets = "SELECT count(*) FROM audit_log WHERE coalesce(before::text, '') || coalesce(after::text, '') ~* 'secreta|argon2|password_hash'";
    assert_eq!(fixture.app.count(secrets).await, 0);
    let without_origin =
        "SELECT count(*) FROM audit_log WHERE audience <> 'system' AND (request_id = '' OR address IS NULL)";
    assert_eq!(fixture.app.count(without_origin).await, 0);
}

#[tokio::test]
async fn a_request_that_changes_nothing_adds_no_entry() {
    let fixture = HistoryFixture::open().await;
    let (_, owner) = fixture.signed_in(&[(&fixture.bakery, SellerRole::Owner)]).await;
    let user = fixture
        .app
        .seller(&[(&fixture.bakery, SellerRole::Operator)])
        .await;
    let before = fixture.app.count("SELECT count(*) FROM audit_log").await;
    let same = json!({ "name": "Ana Souza", "role_id": OPERATOR.id(), "businesses_ids": [fixture.bakery.id.to_string()] });
    let path = format!("/api/business/sellers/{}", user.id);
    assert_eq!(owner.patch(&path, same).await.status, 200);
    assert_eq!(owner.patch(&path, json!({ "name": "" })).await.status, 422);
    assert_eq!(fixture.app.count("SELECT count(*) FROM audit_log").await, before);
}

#[tokio::test]
async fn a_seller_sees_only_the_entries_of_a_colleague_that_concern_shared_companies() {
    let fixture = HistoryFixture::open().await;
    let (bakery, pharmacy) = (&fixture.bakery, &fixture.pharmacy);
    let (colleague, theirs) = fixture
        .signed_in(&[(bakery, SellerRole::Admin), (pharmacy, SellerRole::Operator)])
        .await;
    let path = format!("/api/business/users/{}/history", colleague.id);
    let business = |entry: &Value| entry["after"]["business"].clone();

    // This reader can manage the colleague in this company only, and sees only the entry of access to this company.
    let (_, here) = fixture.signed_in(&[(bakery, SellerRole::Owner)]).await;
    let seen = here.get(&path).await;
    assert_eq!(actions(&seen), ["grant-access"]);
    assert_eq!(business(&entries(&seen)[0]), "Padaria");
    assert_eq!(seen.at("/meta/total"), &json!(1));

    // This reader can manage the colleague in every company: all entries, with the address.
    let (_, everywhere) = fixture
        .signed_in(&[(bakery, SellerRole::Owner), (pharmacy, SellerRole::Owner)])
        .await;
    let seen = everywhere.get(&path).await;
    assert_eq!(
        actions(&seen),
        ["sign-in", "grant-access", "grant-access", "create"]
    );
    assert_eq!(entries(&seen)[0]["address"], "127.0.0.1");
    assert_eq!(entries(&seen)[0]["actor"]["is_subject"], true);

    // A user sees their own part, although users cannot manage themselves.
    let own = theirs.get(&path).await;
    assert_eq!(actions(&own), ["sign-in", "grant-access", "create"]);
    assert_eq!(entries(&own)[0]["address"], "127.0.0.1");
}

#[tokio::test]
async fn a_seller_sees_only_that_staff_acted_and_staff_see_who_acted() {
    let fixture = HistoryFixture::open().await;
    let (_, owner) = fixture.signed_in(&[(&fixture.bakery, SellerRole::Owner)]).await;
    let user = fixture
        .app
        .seller(&[(&fixture.bakery, SellerRole::Operator)])
        .await;
    let member = fixture.app.admin(&[AdminRole::Sac]).await;
    let staff = fixture.app.sign_in(&member).await;
    let change = json!({ "name": "Outro Nome" });
    assert_eq!(
        staff
            .patch(&format!("/api/admin/sellers/{}", user.id), change)
            .await
            .status,
        200
    );
    let by_seller = owner
        .get(&format!("/api/business/users/{}/history", user.id))
        .await;
    let entry = &entries(&by_seller)[0];
    assert_eq!(
        entry["actor"],
        json!({ "kind": "admin", "id": null, "name": null, "is_subject": false })
    );
    assert_eq!(entry["address"], Value::Null);
    assert_eq!(entry["after"], json!({ "name": "Outro Nome" }));
    let by_staff = staff
        .get(&format!("/api/admin/sellers/{}/history", user.id))
        .await;
    let entry = &entries(&by_staff)[0];
    assert_eq!(
        (&entry["actor"]["name"], &entry["actor"]["id"]),
        (&json!("Bruno Lima"), &json!(member.id.to_string()))
    );
    assert_eq!(entry["address"], "127.0.0.1");
    // The test created the user without a request, so its entry has no actor.
    let first = entries(&by_staff).last().expect("a first entry");
    assert_eq!(
        first["actor"],
        json!({ "kind": "system", "id": null, "name": null, "is_subject": false })
    );
}

#[tokio::test]
async fn the_history_and_the_name_of_a_deleted_user_stay() {
    let fixture = HistoryFixture::open().await;
    let (actor, owner) = fixture.signed_in(&[(&fixture.bakery, SellerRole::Admin)]).await;
    let user = fixture
        .app
        .seller(&[(&fixture.bakery, SellerRole::Operator)])
        .await;
    let staff = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Admin]).await)
        .await;
    let path = |user: &User| format!("/api/admin/sellers/{}", user.id);
    let deactivated = json!({ "active": false });
    assert_eq!(
        owner
            .patch(&format!("/api/business/sellers/{}", user.id), deactivated)
            .await
            .status,
        200
    );
    for gone in [&user, &actor] {
        let deleted = staff.send(reqwest::Method::DELETE, &path(gone), None).await;
        assert_eq!(deleted.status, 204);
    }
    let history = staff.get(&format!("{}/history", path(&user))).await;
    assert_eq!(
        actions(&history),
        ["delete", "remove-access", "update", "grant-access", "create"]
    );
    let [deleted, removed, update, ..] = entries(&history) else {
        unreachable!("five entries")
    };
    assert_eq!(deleted["before"]["name"], "Ana Souza");
    assert_eq!(
        (&deleted["before"]["active"], &deleted["after"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(
        (&removed["before"]["business"], &removed["after"]),
        (&json!("Padaria"), &Value::Null)
    );
    assert_eq!(update["actor"]["name"], "Ana Souza");
    let unknown = "/api/admin/sellers/usr_00000000-0000-4000-8000-000000000000/history";
    assert_eq!(staff.get(unknown).await.status, 404);
}

#[tokio::test]
async fn entries_about_staff_have_the_values_before_and_after_too() {
    let fixture = HistoryFixture::open().await;
    let actor = fixture.app.admin(&[AdminRole::Owner]).await;
    let owner = fixture.app.sign_in(&actor).await;
    let user = fixture.app.admin(&[AdminRole::Sac]).await;
    fixture.app.sign_in(&user).await;
    let path = format!("/api/admin/users/{}", user.id);
    let change =
        json!({ "email": "outro@razao.example", "roles": ["financial"], "password": "outra-senha-1" });
    assert_eq!(owner.patch(&path, change).await.status, 200);
    let history = owner.get(&format!("{path}/history?perPage=4")).await;
    assert_eq!(
        actions(&history),
        ["ask-email-change", "set-password", "update", "sign-in"]
    );
    assert_eq!(
        (history.at("/meta/total"), history.at("/meta/total_pages")),
        (&json!(5), &json!(2))
    );
    let [asked, _, update, _] = entries(&history) else {
        panic!("four entries: {}", history.body);
    };
    for (entry, field, before, after) in [
        (asked, "email", json!(user.email), json!("outro@razao.example")),
        (update, "roles", json!(["sac"]), json!(["financial"])),
    ] {
        assert_eq!(entry["before"], json!({ field: before }));
        assert_eq!(entry["after"], json!({ field: after }));
    }
    assert_eq!(update["actor"]["id"], actor.id.to_string());
    let last = owner.get(&format!("{path}/history?perPage=4&page=2")).await;
    assert_eq!(actions(&last), ["create"]);
    let gone = owner.send(reqwest::Method::DELETE, &path, None).await;
    assert_eq!(gone.status, 204);
    let after = owner.get(&format!("{path}/history")).await;
    assert_eq!(actions(&after)[0], "delete");
}

#[tokio::test]
async fn staff_actions_on_companies_and_money_record_the_address_too() {
    let fixture = HistoryFixture::open().await;
    let admin = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Admin]).await)
        .await;
    let company = fixture.bakery.id.to_string();
    let by_hand = json!({
        "business_id": company, "amount": 12_000, "description": "Crédito de teste", "password": PASSWORD, "direction": "in",
    });
    let made = admin.post("/api/admin/balance/transfers/manual", by_hand).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let hold = json!({ "business_id": company, "amount": 5_000, "reason": "Análise" });
    let held = admin.post("/api/admin/balance/holds", hold).await;
    assert_eq!(held.status, 201, "{}", held.body);
    let sql = "SELECT string_agg(action || ' ' || subject || ' ' || host(address), ', ' ORDER BY id)
                  FROM audit_log WHERE subject IN ('transfer', 'hold')";
    assert_eq!(
        fixture.app.text(sql).await,
        "make-manual-transfer transfer 127.0.0.1, place-hold hold 127.0.0.1"
    );
}

#[tokio::test]
async fn users_accesses_and_entries_are_dated_by_the_business_clock() {
    let fixture = HistoryFixture::open().await;
    let (_, owner) = fixture.signed_in(&[(&fixture.bakery, SellerRole::Owner)]).await;
    let body = json!({
        "name": "Célia Prado", "email": "celia@padaria.example", "password": "senha-secreta-1",
        "document": "52998224725", "role_id": OPERATOR.id(), "businesses_ids": [fixture.bakery.id.to_string()],
    });
    let made = owner.post("/api/business/sellers", body).await;
    let history = owner
        .get(&format!("/api/business/users/{}/history", made.text("/id")))
        .await;
    let mut dates = vec![made.at("/created_at"), made.at("/businesses/0/granted_at")];
    dates.extend(entries(&history).iter().map(|entry| &entry["at"]));
    assert_eq!(dates.len(), 2 + 2, "with the entries of the user and the access");
    for date in dates {
        let date: Instant = date.as_str().expect("a date").parse().expect("an instant");
        assert!((noon()..noon() + TimeDelta::hours(1)).contains(&date), "{date}");
    }
}

const LOG: &str = "/api/admin/audit-log";

#[tokio::test]
async fn the_list_of_all_entries_is_found_by_person_kind_company_period_record_and_address() {
    let fixture = HistoryFixture::open().await;
    let bruno = fixture.app.admin(&[AdminRole::Admin]).await;
    let admin = fixture.app.sign_in(&bruno).await;
    let company = fixture.bakery.id.to_string();
    for (amount, of) in [(5_000, &company), (6_000, &fixture.pharmacy.id.to_string())] {
        let credit = json!({
            "business_id": of, "amount": amount, "description": "Crédito", "password": PASSWORD, "direction": "in",
        });
        let made = admin.post("/api/admin/balance/transfers/manual", credit).await;
        assert_eq!(made.status, 201, "{}", made.body);
    }
    let hold = json!({ "business_id": company, "amount": 1_000, "reason": "Análise" });
    let held = admin.post("/api/admin/balance/holds", hold).await;
    assert_eq!(held.status, 201, "{}", held.body);

    let found = async |query: &str| {
        let answer = admin.get(&format!("{LOG}?{query}")).await;
        actions(&answer)
            .iter()
            .map(|&action| action.to_owned())
            .collect::<Vec<_>>()
    };
    let by_admin = found("audience=admin&person=bruno").await;
    assert_eq!(
        by_admin[..3],
        ["place-hold", "make-manual-transfer", "make-manual-transfer"]
    );
    assert_eq!(found("audience=admin&order=asc&subject=transfer").await.len(), 2);
    assert_eq!(
        found(&format!("audience=admin&business_id={company}")).await,
        ["place-hold", "make-manual-transfer"]
    );
    assert_eq!(
        found(&format!("subject=hold&search={}", held.text("/id"))).await,
        ["place-hold"]
    );
    assert_eq!(found("subject=hold&search=127.0.0.1").await, ["place-hold"]);
    for nothing in [
        "person=zebra",
        "search=203.0.113.9",
        "search=trf_x",
        "subject=holiday",
        "start=2020-01-01&end=2020-01-31",
    ] {
        assert_eq!(found(nothing).await, Vec::<String>::new(), "{nothing}");
    }

    let answer = admin.get(&format!("{LOG}?subject=hold")).await;
    let [hold] = entries(&answer) else {
        panic!("one entry: {}", answer.body)
    };
    assert_eq!(
        (&hold["subject"], &hold["audience"]),
        (&json!("hold"), &json!("admin"))
    );
    assert_eq!(
        (&hold["actor"]["name"], &hold["address"]),
        (&json!("Bruno Lima"), &json!("127.0.0.1"))
    );
    assert_eq!(hold["after"]["business_id"], company);
    assert_eq!(hold["after"]["made"]["amount"], 1_000);
    assert_eq!(hold["after"]["made"]["reason"], "Análise");
    let sheet = download(&admin, &format!("{LOG}?subject=hold")).await;
    assert_eq!(sheet.rows.len(), 1);

    let sac = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Sac]).await)
        .await;
    assert_eq!(sac.get(LOG).await.status, 403);
}

#[tokio::test]
async fn the_list_of_all_entries_reads_indexes() {
    let fixture = HistoryFixture::open().await;
    let rare = fixture.app.admin(&[AdminRole::Admin]).await;
    fixture
        .app
        .execute(&format!(
            "UPDATE admin_user SET name = 'Zenaide Prado' WHERE id = '{rare}';
             INSERT INTO audit_log (at, audience, actor_id, action, subject, subject_id, address, after)
             SELECT now() - n * interval '1 minute', 'admin', CASE WHEN n % 1000 = 0 THEN '{rare}'::uuid ELSE md5('person ' || n % 3000)::uuid END,
                    'update', CASE WHEN n % 1000 = 0 THEN 'holiday' ELSE 'plan' END, 'record ' || n,
                    CASE WHEN n % 1000 = 0 THEN '203.0.113.7'::inet END,
                    json_build_object('business_id', CASE WHEN n % 1000 = 0 THEN '{company}' ELSE 'none' END)
               FROM generate_series(1, 5000) AS n;
             ANALYZE audit_log; ANALYZE admin_user; ANALYZE admin_user_word",
            rare = rare.id.uuid(),
            company = fixture.bakery.id,
        ))
        .await;
    let all = AuditLogFilter::default;
    let client = fixture.app.database.client().await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    // Only scans after this one count.
    scans_since_last_call(&client).await;
    for (filter, index) in [
        (all(), "audit_log_by_time"),
        (
            AuditLogFilter {
                person: WordSearch::parse("zenaide"),
                ..all()
            },
            "audit_log_of_actor",
        ),
        (
            AuditLogFilter {
                audience: Some(AuditAudience::System),
                ..all()
            },
            "audit_log_of_audience",
        ),
        (
            AuditLogFilter {
                subject: Some(AuditSubject::Holiday),
                ..all()
            },
            "audit_log_of_kind",
        ),
        (
            AuditLogFilter {
                business_id: Some(fixture.bakery.id),
                ..all()
            },
            "audit_log_of_company",
        ),
        (all().found_by(Some("record 7".to_owned())), "audit_log_of_record"),
        (
            all().found_by(Some("203.0.113.7".to_owned())),
            "audit_log_from_address",
        ),
    ] {
        list_batch(&client, &filter, None, 3).await.expect("a list");
        let (whole, used) = scans_since_last_call(&client).await;
        assert!(!whole.contains("audit_log"), "{filter:?} scans the whole log");
        assert!(used.contains(index), "{filter:?} uses {used:?}");
    }
}
