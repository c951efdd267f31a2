//! The staff's home page: the platform's figures, and the numbers of work that waits. A role gets the numbers of the
//! lists that it may read.

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use crate::support::acquirer;
use crate::support::movements::{MovementsFixture, rows};

#[tokio::test]
async fn the_platform_figures_cover_all_companies() {
    let fixture = MovementsFixture::open().await;
    let mut without_company = acquirer::capture(&fixture.company, "without-company");
    without_company.data.business_id = None;
    assert_eq!(fixture.app.send(&without_company).await.status, 202);
    let overview = fixture.staff.get("/api/admin/overview").await.body;
    assert_eq!(overview["today"], "2026-11-21");
    assert_eq!(overview["volume_today"], json!({ "count": 1, "gross": 50_00 }));
    assert_eq!(
        overview["volume_month"],
        json!({ "count": 3, "gross": 3 * 50_00 })
    );
    // 1 % of three PIX sales of R$ 50,00, and the fee of the paid withdrawal.
    assert_eq!(overview["revenue_month"], 3 * 50 + 3_50);
    assert_eq!(overview["active_businesses"], 2);
    assert_eq!(overview["withdrawals_waiting"]["count"], 1);
    assert_eq!(overview["withdrawals_waiting"]["amount"], 50_00);
    assert_eq!(overview["exceptions_waiting"], 1);
    let newest = overview["newest_businesses"].as_array().expect("companies");
    assert_eq!(newest.len(), 2);
    assert!(newest.iter().all(|company| company["created_at"].is_string()));
}

#[tokio::test]
async fn a_denied_company_does_not_count_as_active() {
    let fixture = MovementsFixture::open().await;
    let denial = format!(
        "UPDATE business SET approval = 'denied' WHERE id = '{}'",
        fixture.other.id.uuid()
    );
    fixture.app.execute(&denial).await;
    let overview = fixture.staff.get("/api/admin/overview").await;
    assert_eq!(overview.at("/active_businesses"), &json!(1));
    let newest = overview.body["newest_businesses"].as_array().expect("companies");
    let denied = newest.iter().filter(|company| company["approval"] == "denied");
    assert_eq!(
        denied.map(|company| &company["id"]).collect::<Vec<_>>(),
        [&json!(fixture.other.id.to_string())],
        "its state stands beside its name"
    );
}

/// The fields about work, each with the path of its list.
const WORK: [(&str, &str); 13] = [
    ("withdrawals_waiting", "/api/admin/balance/transfers?status=0"),
    (
        "adjustments_waiting",
        "/api/admin/balance/adjustments?status=pending",
    ),
    ("holds_due", "/api/admin/balance/holds?due_by=2026-11-21"),
    (
        "hold_documents_waiting",
        "/api/admin/balance/hold-documents?state=sent",
    ),
    ("exceptions_waiting", "/api/admin/exceptions"),
    ("differences_open", "/api/admin/settlements/differences"),
    ("payouts_late", "/api/admin/operations/payouts"),
    ("refunds_late", "/api/admin/operations/refunds"),
    ("charges_late", "/api/admin/operations/charges"),
    ("emails_late", "/api/admin/operations/emails"),
    ("followers", "/api/admin/operations/followers"),
    ("receivables", "/api/admin/operations/receivables"),
    ("negative_balances", "/api/admin/operations/negative-balances"),
];

#[tokio::test]
async fn each_role_sees_the_work_of_the_lists_that_it_may_read() {
    let fixture = MovementsFixture::open().await;
    let figures = [
        ("revenue_month", "/api/admin/transactions/billing"),
        ("active_businesses", "/api/admin/businesses"),
        ("newest_businesses", "/api/admin/businesses"),
    ];
    for &role in AdminRole::ALL {
        let staff = fixture.staff_user(role).await;
        let overview = staff.get("/api/admin/overview").await.body;
        assert_eq!(overview["volume_month"]["count"], 3, "{role:?}");
        for (field, path) in WORK.into_iter().chain(figures) {
            // A supervisor may list the transfers of one company only: without a company, a 422 and no number.
            let answer = staff.get(path).await;
            let may_read = answer.status == 200;
            assert!(may_read || matches!(answer.status, 403 | 422), "{}", answer.body);
            assert_eq!(!overview[field].is_null(), may_read, "{role:?} {field}");
        }
    }
}

#[tokio::test]
async fn a_role_that_reads_no_list_gets_no_number_of_work() {
    let fixture = MovementsFixture::open().await;
    let operator = fixture.staff_user(AdminRole::Operator).await;
    let overview = operator.get("/api/admin/overview").await.body;
    let visible = overview.as_object().expect("an object").iter();
    let visible: Vec<_> = visible
        .filter(|(_, value)| !value.is_null())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(visible, ["today", "volume_month", "volume_today"]);
}

/// Two holds of four that are due, one of two documents without an answer, two late payouts of four, a late refund of
/// two, two late charges of four, three late e-mails of five, an open difference of two, a negative balance, and two days that should have been
/// settled. Payouts, refunds and charges are late after 30 minutes, e-mails after 15. Of the charges, a boleto waits for
/// its buyer, and one that its acquirer refused is late.
async fn leave_work(fixture: &MovementsFixture) {
    let (company, other) = (fixture.company.id.uuid(), fixture.other.id.uuid());
    for sql in [
        format!(
            "INSERT INTO payout (payout_id, transfer_id, business_id, amount, destination, created_at, status,
                                 next_try_at, ended_at)
             SELECT gen_random_uuid(), gen_random_uuid(), '{company}', 1000 * n, '{{}}',
                    now() - age * interval '1 minute', CASE WHEN ended THEN 'failed' ELSE 'waiting' END,
                    CASE WHEN NOT ended THEN now() + interval '1 hour' END, CASE WHEN ended THEN now() END
               FROM (VALUES (1, 120, false), (2, 31, false), (3, 29, false), (4, 500, true)) AS t (n, age, ended)"
        ),
        format!(
            "INSERT INTO refund (refund_id, sale_id, business_id, provider, external_id, amount, created_at, next_try_at)
             SELECT gen_random_uuid(), gen_random_uuid(), '{other}', 1, 'late-' || age, 4000,
                    now() - age * interval '1 minute', now() + interval '1 hour'
               FROM unnest(ARRAY[29, 90]) AS age"
        ),
        format!(
            "INSERT INTO payment_link (id, business_id, code, description, payment_types, installments_max, payer, active,
                                       created_at, updated_at)
             VALUES (md5('link')::uuid, '{company}', 'ABCDEFGHJKMN', 'Bolo', '{{boleto}}', 1, 'seller', true, now(), now());
             INSERT INTO link_order (id, reference, link_id, business_id, description, amount, panel_url, request_key,
                                     created_at)
             SELECT md5('order' || n)::uuid, 'ABCDEFGHJ' || n, md5('link')::uuid, '{company}', 'Bolo', 9000,
                    'http://localhost', sha256(n::text::bytea), now() FROM generate_series(1, 4) AS n;
             INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, payment_type, installments, total,
                                        ordered_at, expires_at, due_on, status, last_error, next_try_at, created_at)
             SELECT gen_random_uuid(), md5('order' || n)::uuid, 1, '{company}', 1, 'boleto', 1, 9000, now(),
                    now() + interval '1 day', current_date, status, fault, now() + interval '1 hour',
                    now() - age * interval '1 minute'
               FROM (VALUES (1, 'unknown', 'timeout', 80), (2, 'sent', 'refused', 40), (3, 'sent', NULL, 300),
                            (4, 'unknown', 'timeout', 29)) AS t (n, status, fault, age)"
        ),
        "INSERT INTO mail (id, kind, audience, recipient, panel_url, created_at, status, next_try_at, ended_at)
         SELECT gen_random_uuid(), 'reset-password', 'seller', 'ana@padaria.example', 'https://painel.example',
                now() - age * interval '1 minute', CASE WHEN ended THEN 'sent' ELSE 'waiting' END,
                CASE WHEN NOT ended THEN now() + interval '1 hour' END, CASE WHEN ended THEN now() END
           FROM (VALUES (14, false), (16, false), (60, false), (240, false), (300, true)) AS t (age, ended)"
            .to_owned(),
        "INSERT INTO settlement_difference (id, kind, provider, day, sale_id, installment, expected, delta, found_at,
                                            state, reason, resolved_by, resolved_at)
         SELECT gen_random_uuid(), 'missing', 1, '2026-11-19', gen_random_uuid(), 1, 5000, -5000, now(), state,
                CASE state WHEN 'resolved' THEN 'Conferido.' END,
                CASE state WHEN 'resolved' THEN gen_random_uuid() END, CASE state WHEN 'resolved' THEN now() END
           FROM unnest(ARRAY['open', 'resolved']) AS state"
            .to_owned(),
        format!(
            "UPDATE balance SET available = available - 20000, clearing = clearing + 20000 WHERE business_id = '{other}'"
        ),
        format!(
            "INSERT INTO adjustment_request (id, kind, business_id, amount, reason, allow_negative, requested_by,
                                             requested_at, status, decided_by, decided_at, decision_reason)
             SELECT gen_random_uuid(), 'credit', '{company}', 5000, 'Estorno', false, gen_random_uuid(), now(), status,
                    CASE status WHEN 'rejected' THEN gen_random_uuid() END, CASE status WHEN 'rejected' THEN now() END,
                    CASE status WHEN 'rejected' THEN 'Não.' END
               FROM unnest(ARRAY['pending', 'rejected']) AS status"
        ),
        format!(
            "INSERT INTO hold (business_id, hold_id, kind, amount, placed, released, paid, reason, review_on, documents,
                               placed_at, updated_at, ended_at)
             SELECT '{company}', gen_random_uuid(), 'analysis', CASE WHEN ended THEN 0 ELSE 3000 END, 3000,
                    CASE WHEN ended THEN 3000 ELSE 0 END, 0, 'Conferência', review_on::date, '{{}}', now(), now(),
                    CASE WHEN ended THEN now() END
               FROM (VALUES ('2026-11-18', false), ('2026-11-21', false), ('2026-11-22', false), ('2026-11-18', true))
                    AS t (review_on, ended)"
        ),
        format!(
            "INSERT INTO stored_file (id, media_type, byte_count, sha256, created_at)
             SELECT md5('file' || n)::uuid, 'image/png', 3, sha256(n::text::bytea), now() FROM generate_series(1, 2) AS n;
             INSERT INTO hold_document (id, business_id, hold_id, asked, file_name, sent_by, sent_at, state, answered_by,
                                        answered_at)
             SELECT md5('file' || n)::uuid, '{company}', gen_random_uuid(), 'Nota fiscal', 'nota.png',
                    (SELECT id FROM seller_user LIMIT 1), '2026-11-20T12:00:00Z',
                    CASE n WHEN 1 THEN 'sent' ELSE 'accepted' END,
                    CASE n WHEN 2 THEN (SELECT id FROM admin_user LIMIT 1) END, CASE n WHEN 2 THEN now() END
               FROM generate_series(1, 2) AS n"
        ),
        "UPDATE receivables_schedule SET due_date = due_date - 60 WHERE open".to_owned(),
    ] {
        fixture.app.execute(&sql).await;
    }
}

#[tokio::test]
async fn each_number_of_work_is_the_total_of_its_list() {
    let fixture = MovementsFixture::open().await;
    let mut without_company = acquirer::capture(&fixture.company, "without-company");
    without_company.data.business_id = None;
    assert_eq!(fixture.app.send(&without_company).await.status, 202);
    leave_work(&fixture).await;
    let overview = fixture.staff.get("/api/admin/overview").await.body;
    let mut listed = vec![];
    for (field, path) in WORK {
        let list = fixture.staff.get(path).await.body;
        // The field of followers has the greatest lag, not a number of rows.
        if field == "followers" {
            let lags = rows(&list)
                .iter()
                .map(|row| row["lag_events"].as_i64().unwrap_or(0));
            assert_eq!(
                Some(overview[field]["lag_events"].as_i64().expect("events")),
                lags.max()
            );
            continue;
        }
        // A field is a number, or an object with the number as `count` or `late`.
        let parts = ["count", "late"].map(|part| &overview[field][part]);
        let number = parts.into_iter().find(|part| part.is_number());
        let number = number.unwrap_or(&overview[field]);
        assert_eq!(number, &list["meta"]["total"], "{field}");
        assert_eq!(list["meta"]["total"], rows(&list).len(), "{field}");
        listed.push((field, rows(&list).len()));
    }
    assert_eq!(
        listed,
        [
            ("withdrawals_waiting", 1),
            ("adjustments_waiting", 1),
            ("holds_due", 2),
            ("hold_documents_waiting", 1),
            ("exceptions_waiting", 1),
            ("differences_open", 1),
            ("payouts_late", 2),
            ("refunds_late", 1),
            ("charges_late", 2),
            ("emails_late", 3),
            ("receivables", 2),
            ("negative_balances", 1),
        ]
    );
    let sum =
        |list: &Value, field: &str| -> i64 { rows(list).iter().filter_map(|row| row[field].as_i64()).sum() };
    let negative = fixture
        .staff
        .get("/api/admin/operations/negative-balances")
        .await
        .body;
    assert_eq!(
        overview["negative_balances"]["amount"],
        sum(&negative, "available")
    );
    assert_eq!(negative["data"][0]["business_name"], "Farmácia São João");
    assert_eq!(
        overview["holds_due"],
        json!({ "count": 2, "amount": 60_00, "first_day": "2026-11-18" })
    );
    let overdue = fixture.staff.get("/api/admin/operations/receivables").await.body;
    assert_eq!(
        overview["receivables"]["oldest_due"],
        overdue["data"][0]["due_date"]
    );
    let minutes = |field: &str| overview[field]["oldest_seconds"].as_i64().expect("seconds") / 60;
    assert_eq!(
        ["payouts_late", "refunds_late", "charges_late", "emails_late"].map(minutes),
        [120, 90, 80, 240]
    );
    assert!(minutes("hold_documents_waiting") > 0);
    // The withdrawal was requested today, before the clock's instant.
    assert!((0..24 * 60).contains(&minutes("withdrawals_waiting")));
}

#[tokio::test]
async fn without_work_the_numbers_are_zero_and_the_next_due_date_is_in_the_future() {
    let fixture = MovementsFixture::open().await;
    let overview = fixture.staff.get("/api/admin/overview").await.body;
    let none = json!({ "count": 0, "oldest_seconds": null });
    for field in ["payouts_late", "refunds_late", "charges_late", "emails_late"] {
        assert_eq!(overview[field], none, "{field}");
    }
    assert_eq!(overview["negative_balances"], json!({ "count": 0, "amount": 0 }));
    assert_eq!(
        overview["holds_due"],
        json!({ "count": 0, "amount": 0, "first_day": null })
    );
    assert_eq!(overview["hold_documents_waiting"], none);
    assert_eq!(overview["differences_open"], 0);
    assert_eq!(overview["exceptions_waiting"], 0);
    assert_eq!(overview["receivables"]["late"], 0);
    let due = overview["receivables"]["oldest_due"].as_str().expect("a date");
    assert!(due > "2026-11-21", "{due}");
    assert_eq!(overview["followers"]["stopped"], 0);
}

#[tokio::test]
async fn the_home_page_shows_the_withdrawals_that_wait_for_approval() {
    let fixture = MovementsFixture::open().await;
    let queue = fixture
        .staff
        .get("/api/admin/balance/transfers?status=0")
        .await
        .body;
    let sum: i64 = rows(&queue).iter().filter_map(|row| row["amount"].as_i64()).sum();
    let waiting = &fixture.staff.get("/api/admin/overview").await.body["withdrawals_waiting"];
    assert_eq!(waiting["count"], rows(&queue).len());
    assert_eq!(waiting["amount"], sum);
    assert_ne!(waiting["count"], Value::from(0));
}
