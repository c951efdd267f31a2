//! Waiting work is tried now: by staff over HTTP, and by operators on the command line. No worker runs here, so that the
//! rows stay as they became.

use gateway_identity::roles::AdminRole;
use serde_json::json;
use uuid::Uuid;

use crate::support::TestApp;
use crate::support::movements::MovementsFixture;
use crate::support::program::Program;
use crate::support::sandbox::free_address;

const WAITS: Uuid = Uuid::from_u128(1);
const IN_HAND: Uuid = Uuid::from_u128(2);
const ENDED: Uuid = Uuid::from_u128(3);
const UNREADABLE: Uuid = Uuid::from_u128(4);

/// A payout of each kind; five refunds at three acquirers, of which one was accepted and one is in hand; two e-mails.
async fn leave_work(app: &TestApp) {
    let hour = "now() + interval '1 hour'";
    app.execute(&format!(
        "INSERT INTO payout (payout_id, transfer_id, business_id, amount, destination, status, provider, tries, last_error,
                             next_try_at, paused_until, awaits, ended_at)
         SELECT lpad(to_hex(n), 32, '0')::uuid, gen_random_uuid(), gen_random_uuid(), 1000, '{{}}', status, 'sandbox', 7,
                'unreachable', CASE WHEN n < 3 THEN {hour} END, CASE WHEN n = 1 THEN {hour} ELSE now() END, 'sandbox',
                CASE status WHEN 'paid' THEN now() END
           FROM (VALUES (1, 'unknown'), (2, 'unknown'), (3, 'paid'), (4, 'unreadable')) AS t (n, status);
         INSERT INTO refund (refund_id, sale_id, business_id, provider, external_id, amount, status, tries, last_error,
                             next_try_at, paused_until)
         SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), provider, 'sale', 4000, 'unknown', 5, fault,
                {hour}, CASE WHEN waits THEN {hour} END
           FROM (VALUES (1, 'timeout', true), (2, 'timeout', true), (2, 'rate_limited', true), (2, NULL, true),
                        (6, 'timeout', false)) AS t (provider, fault, waits);
         INSERT INTO mail (id, kind, audience, recipient, panel_url, tries, last_error, next_try_at, paused_until)
         SELECT gen_random_uuid(), 'reset-password', 'seller', 'ana@padaria.example', 'https://painel.example', 9,
                'connection', {hour}, {hour} FROM generate_series(1, 2)"
    ))
    .await;
}

async fn due(app: &TestApp, table: &str) -> i64 {
    app.count(&format!(
        "SELECT count(*) FROM {table} WHERE next_try_at <= now()"
    ))
    .await
}

#[tokio::test]
async fn staff_have_one_waiting_payout_tried_now() {
    let fixture = MovementsFixture::open().await;
    leave_work(&fixture.app).await;
    let staff = fixture.staff_user(AdminRole::Admin).await;
    let retry = async |id: Uuid| {
        let path = format!("/api/admin/operations/payouts/{id}/retry");
        staff.post(&path, json!({})).await
    };
    let answer = retry(WAITS).await;
    assert_eq!(
        (answer.status, answer.at("/due")),
        (200, &json!(1)),
        "{}",
        answer.body
    );
    let again = retry(WAITS).await;
    assert_eq!(
        (again.status, again.at("/due")),
        (200, &json!(0)),
        "it is due already"
    );
    for (id, says) in [
        (
            IN_HAND,
            "O pagamento está em andamento agora. Aguarde o resultado desta tentativa.",
        ),
        (ENDED, "O pagamento já terminou: não há o que tentar de novo."),
        (
            UNREADABLE,
            "O pagamento tem dados ilegíveis e está na fila de exceções. Tente de novo por lá.",
        ),
    ] {
        let refused = retry(id).await;
        assert_eq!((refused.status, refused.text("/message")), (409, says));
    }
    assert_eq!(retry(Uuid::from_u128(5)).await.status, 404);
    let other = staff
        .post(
            &format!("/api/admin/operations/webhooks/{WAITS}/retry"),
            json!({}),
        )
        .await;
    assert_eq!(other.status, 404);
    assert_eq!(due(&fixture.app, "payout").await, 1);
    let entry = "SELECT string_agg(concat_ws(' ', subject, action, subject_id, before ->> 'last_error',
                                             (actor_id IS NOT NULL)::text), ',')
                   FROM audit_log WHERE action = 'retry'";
    let entry = fixture.app.text(entry).await;
    assert_eq!(entry, format!("payout retry {WAITS} unreachable true"));
}

#[tokio::test]
async fn staff_have_all_waiting_work_of_a_kind_or_of_a_provider_tried_now() {
    let fixture = MovementsFixture::open().await;
    leave_work(&fixture.app).await;
    let staff = fixture.staff_user(AdminRole::Admin).await;
    let refunds = "/api/admin/operations/refunds/retry";
    let key = staff.clone().with("idempotency-key", "the refunds of Iugu");
    let of_iugu = key.post(refunds, json!({ "provider": "iugu" })).await;
    assert_eq!(
        (of_iugu.status, of_iugu.at("/due")),
        (200, &json!(2)),
        "{}",
        of_iugu.body
    );
    let repeated = key.post(refunds, json!({ "provider": "iugu" })).await;
    assert_eq!(repeated.at("/due"), &json!(2), "the first answer again");
    assert_eq!(staff.post(refunds, json!({})).await.at("/due"), &json!(1));
    assert_eq!(due(&fixture.app, "refund").await, 3);
    for (kind, provider) in [("refunds", "sandbox"), ("payouts", "no bank"), ("emails", "smtp")] {
        let path = format!("/api/admin/operations/{kind}/retry");
        let refused = staff.post(&path, json!({ "provider": provider })).await;
        assert_eq!(refused.status, 422, "{kind} {}", refused.body);
        assert!(refused.at("/errors/provider").is_array(), "{}", refused.body);
    }
    let payouts = staff
        .post(
            "/api/admin/operations/payouts/retry",
            json!({ "provider": "sandbox" }),
        )
        .await;
    assert_eq!(payouts.at("/due"), &json!(1));
    let entries = "SELECT string_agg(concat_ws(' ', subject, subject_id, after ->> 'due'), ', ' ORDER BY id)
                     FROM audit_log WHERE action = 'retry'";
    let entries = fixture.app.text(entries).await;
    assert_eq!(entries, "refund iugu 2, refund all 1, payout sandbox 1");
    let financial = fixture.staff_user(AdminRole::Financial).await;
    assert_eq!(financial.post(refunds, json!({})).await.status, 403);
}

#[tokio::test]
async fn operators_have_waiting_work_tried_now_while_the_program_runs() {
    let fixture = MovementsFixture::open().await;
    leave_work(&fixture.app).await;
    let url = &fixture.app.database.url;
    let program = Program::new(url, free_address(), free_address(), &[]);
    let says = async |arguments: &[&str]| {
        let output = program.output(arguments).await;
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        (output.status.code(), text)
    };
    for (arguments, expected) in [
        (&["retry", "emails"][..], "2 emails became due"),
        (
            &["retry", "refunds", "--provider", "zoop"],
            "1 refunds became due",
        ),
        (&["retry", "charges"], "0 charges became due"),
        (
            &["retry", "payouts", "--id", &WAITS.to_string()],
            "1 payouts became due",
        ),
    ] {
        let (code, text) = says(arguments).await;
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(expected), "{text}");
    }
    for (arguments, expected) in [
        (["--id", &IN_HAND.to_string()], "it is being tried at this moment"),
        (
            ["--id", &UNREADABLE.to_string()],
            "staff retry it in the exceptions queue",
        ),
        (
            ["--provider", "zoop bank"],
            "payouts have no provider of this name",
        ),
    ] {
        let (code, text) = says(&[&["retry", "payouts"][..], &arguments].concat()).await;
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(expected), "{text}");
    }
    let counts = [due(&fixture.app, "mail").await, due(&fixture.app, "refund").await];
    assert_eq!((counts, due(&fixture.app, "payout").await), ([2, 1], 1));
    let without_proof = "SELECT count(*) FROM row_change WHERE table_name = 'audit_log' AND proof IS NULL";
    assert_eq!(fixture.app.count(without_proof).await, 0);
    let in_production = [
        ("RAZAO_ENV", "production"),
        ("RAZAO_NOW", ""),
        ("RAZAO_SANDBOX_ADDR", ""),
        ("RAZAO_KEY_CHECKPOINT", ""),
    ];
    let without_key = Program::new(url, free_address(), free_address(), &in_production);
    let refused = without_key.output(&["retry", "emails"]).await;
    let text = String::from_utf8(refused.stderr).expect("text");
    assert_eq!(refused.status.code(), Some(1), "{text}");
    assert!(text.contains("RAZAO_KEY_CHECKPOINT is not set"), "{text}");
    let by_system = "SELECT count(*) FROM audit_log WHERE action = 'retry' AND audience = 'system'";
    assert_eq!(fixture.app.count(by_system).await, 3);
}
