//! The lists among many holds read indexes.

use gateway_platform::holds::documents::{
    HoldDocumentFilter, HoldDocumentState, documents_missing, hold_documents,
};
use gateway_platform::holds::{HoldFilter, HoldState, hold_fetch, hold_steps};
use ledger_domain::HoldId;
use ledger_domain::hold::HoldKind;
use projections::SortOrder;

use super::HoldsFixture;
use crate::projections::indexes::scans_since_last_call;
use crate::support::database::only_with_tables;
use crate::support::list_indexes::check_lists;

/// Few holds are open, few are judicial, and few are the fixture's own.
async fn with_many_holds() -> HoldsFixture {
    let fixture = HoldsFixture::open().await;
    fixture
        .money
        .app
        .execute(&format!(
            "INSERT INTO hold (business_id, hold_id, kind, amount, placed, released, paid, reason, review_on, documents,
                               placed_at, updated_at, ended_at, case_number)
             SELECT CASE WHEN n % 500 = 0 THEN '{}'::uuid ELSE md5('company' || n % 900)::uuid END,
                    md5('hold' || n)::uuid, CASE WHEN n % 250 = 0 THEN 'judicial' ELSE 'analysis' END,
                    CASE WHEN n % 100 = 0 THEN 5 ELSE 0 END, 5, CASE WHEN n % 100 = 0 THEN 0 ELSE 5 END, 0, 'Motivo',
                    '2026-01-01'::date + n % 900, '{{}}', now() - n * interval '1 minute', now(),
                    CASE WHEN n % 100 = 0 THEN NULL ELSE now() END,
                    CASE WHEN n % 250 = 0 THEN lpad(n::text, 7, '0') || '-2026.8.26' END
               FROM generate_series(1, 30000) AS n;
             INSERT INTO hold_step (business_id, hold_id, sequence, kind, occurred_at, amount)
             SELECT business_id, hold_id, 1, 'placed', placed_at, 5 FROM hold",
            fixture.money.company.id.uuid()
        ))
        .await;
    for table in ["hold", "hold_step"] {
        fixture
            .money
            .app
            .execute(&format!("VACUUM (ANALYZE) {table}"))
            .await;
    }
    fixture
}

#[tokio::test]
async fn no_list_of_holds_scans_the_table() {
    only_with_tables!();
    let fixture = with_many_holds().await;
    let client = fixture.money.app.database.client().await;
    let company = fixture.money.company.id;
    let all = HoldFilter::default();
    let of_company = HoldFilter {
        business_id: Some(company),
        order: SortOrder::Desc,
        ..all.clone()
    };
    let open = HoldFilter {
        state: Some(HoldState::Open),
        ..all.clone()
    };
    let kind = HoldFilter {
        kind: Some(HoldKind::Judicial),
        ..all.clone()
    };
    let open_of_kind = HoldFilter {
        kind: Some(HoldKind::Judicial),
        ..open.clone()
    };
    let due = HoldFilter {
        due_by: "2026-03-01".parse().ok(),
        ..all.clone()
    };
    let of_case = HoldFilter {
        case_digits: Some("00002502026826".to_owned()),
        ..all.clone()
    };
    check_lists(
        &client,
        &[],
        [
            ("all holds", "hold_by_instant", all),
            ("a company's holds", "hold_by_business", of_company),
            ("open holds", "hold_open", open),
            ("judicial holds", "hold_by_kind", kind),
            ("open judicial holds", "hold_open_by_kind", open_of_kind),
            ("holds that are due", "hold_due", due),
            ("the holds of a case", "hold_by_case", of_case),
        ],
    )
    .await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    scans_since_last_call(&client).await;
    let hold = first_hold(&fixture).await;
    assert!(
        hold_fetch(&client, company, hold)
            .await
            .expect("an answer")
            .is_some()
    );
    assert_eq!(
        hold_steps(&client, company, hold, 200)
            .await
            .expect("steps")
            .len(),
        1
    );
    let (whole, _) = scans_since_last_call(&client).await;
    assert!(whole.is_empty(), "a hold's page scans all of {whole:?}");
}

/// Few documents wait for an answer, and few are the fixture's own.
#[tokio::test]
async fn no_list_of_documents_scans_the_table() {
    only_with_tables!();
    let fixture = with_many_holds().await;
    let app = &fixture.money.app;
    let company = fixture.money.company.id;
    let other = app.company("Mercado").await.id;
    app.execute(&format!(
        "INSERT INTO stored_file (id, media_type, byte_count, sha256, created_at)
         SELECT md5('file' || n)::uuid, 'image/png', 3, sha256(n::text::bytea), now() FROM generate_series(1, 30000) AS n;
         INSERT INTO hold_document (id, business_id, hold_id, asked, file_name, sent_by, sent_at, state, answered_by, answered_at)
         SELECT md5('file' || n)::uuid, CASE WHEN n % 500 = 0 THEN '{}'::uuid ELSE '{}'::uuid END,
                md5('hold' || n % 1000)::uuid, 'Nota fiscal', 'nota.png', (SELECT id FROM seller_user LIMIT 1),
                now() - n * interval '1 minute', CASE WHEN n % 100 = 0 THEN 'sent' ELSE 'accepted' END,
                CASE WHEN n % 100 = 0 THEN NULL ELSE (SELECT id FROM admin_user LIMIT 1) END,
                CASE WHEN n % 100 = 0 THEN NULL ELSE now() END
           FROM generate_series(1, 30000) AS n",
        company.uuid(),
        other.uuid()
    ))
    .await;
    for table in ["stored_file", "hold_document"] {
        app.execute(&format!("VACUUM (ANALYZE) {table}")).await;
    }
    let client = app.database.client().await;
    let all = HoldDocumentFilter::default();
    let of_company = HoldDocumentFilter {
        business_id: Some(company),
        ..all.clone()
    };
    let waiting = HoldDocumentFilter {
        state: Some(HoldDocumentState::Sent),
        ..all.clone()
    };
    check_lists(
        &client,
        &["business", "seller_user"],
        [
            ("all documents", "hold_document_by_instant", all),
            ("a company's documents", "hold_document_by_business", of_company),
            ("documents that wait", "hold_document_sent", waiting),
        ],
    )
    .await;
    let hold = hold_fetch(&client, company, first_hold(&fixture).await)
        .await
        .expect("an answer")
        .expect("a hold");
    client.batch_execute("BEGIN").await.expect("a transaction");
    scans_since_last_call(&client).await;
    hold_documents(&client, company, hold.hold_id)
        .await
        .expect("documents");
    let asking = projections::holds::Hold {
        documents: vec!["Nota fiscal".to_owned()],
        ended_at: None,
        ..hold
    };
    documents_missing(&client, &[asking]).await.expect("an answer");
    let (mut whole, _) = scans_since_last_call(&client).await;
    for small in ["business", "seller_user"] {
        whole.remove(small);
    }
    assert!(whole.is_empty(), "the documents of a hold scan all of {whole:?}");
}

async fn first_hold(fixture: &HoldsFixture) -> HoldId {
    let sql = format!(
        "SELECT 'hld_' || hold_id FROM hold WHERE business_id = '{}' ORDER BY hold_id LIMIT 1",
        fixture.money.company.id.uuid()
    );
    fixture.money.app.text(&sql).await.parse().expect("an id")
}
