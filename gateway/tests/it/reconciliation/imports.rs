//! Imports of files: both formats, repetitions, bad lines, interrupted readings, and many lines.

use std::time::Duration;

use gateway_formats::settlement_files::boletos::{BoletoMovement, Payment, Title};
use gateway_formats::settlement_files::{Meaning, MovementCode, cnab240};
use gateway_identity::roles::AdminRole;
use gateway_platform::reconciliation::{PART_BYTES, ReconciliationError};
use ledger_domain::Cents;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{DUE, SETTLEMENTS, SettlementFixture, date, detail, paid_file};
use crate::support::PASSWORD;

/// A boleto of R$ 149,90 that was paid. The bank keeps R$ 1,99, so it credits R$ 147,91. No order has its document
/// number.
pub(super) fn boleto(our_number: &str, credited_on: &str) -> BoletoMovement {
    BoletoMovement {
        title: Title {
            line: 0,
            bank: "341".to_owned(),
            code: MovementCode::new("06"),
            meaning: Meaning::Payment,
            our_number: our_number.to_owned(),
            other_numbers: vec![],
            document_number: "7K3QPXM2ZD".to_owned(),
            due: Some(date("2026-11-12")),
            fee: Some(Cents::new(1_99)),
        },
        payment: Payment {
            paid: Cents::new(149_90),
            net: Some(Cents::new(147_91)),
            event_date: Some(date("2026-11-12")),
            credited_on: Some(date(credited_on)),
        },
    }
}

#[tokio::test]
async fn a_return_file_is_compared_with_boletos_and_its_bad_lines_are_named() {
    let fixture = SettlementFixture::open().await;
    fixture.boleto_sale("123456").await;
    fixture.until_projected().await;
    let due = fixture.first_due_date("123456").await.to_string();
    let file = cnab240::write_file("341", &[boleto("000123456", &due), boleto("999", &due)]);
    // Line 5 is the T record of boleto 999, after two headers and the two records of the other boleto. Without one of
    // its characters it is unreadable, so line 6, its U record, follows no T record.
    let broken: String = file
        .lines()
        .enumerate()
        .map(|(index, line)| {
            let line = if index == 4 {
                line.replacen("341", "34", 1)
            } else {
                line.to_owned()
            };
            line + "\r\n"
        })
        .collect();
    let import = fixture.import("retorno.ret", broken).await;
    assert_eq!(
        (
            &import["state"],
            &import["source"],
            &import["records_read"],
            &import["bad_lines"]
        ),
        (&json!("done"), &json!("cnab240"), &json!(1), &json!(2)),
        "{import}"
    );
    assert_eq!(
        import["bad"],
        json!([
            { "line": 5, "reason": "other_bank", "parameters": { "text": "340", "expected": "341" } },
            { "line": 6, "reason": "without_t", "parameters": {} },
        ])
    );
    assert_eq!(
        fixture.differences("").await.len(),
        0,
        "the boleto is paid as expected"
    );
    assert_eq!(fixture.day(&due).await["paid"], 147_91);

    // The unbroken file repeats the first movement and adds that of boleto 999.
    let import = fixture.import("retorno-2.ret", file).await;
    assert_eq!(
        (&import["records_read"], &import["records_changed"]),
        (&json!(2), &json!(1)),
        "{import}"
    );
    assert_eq!(
        fixture.differences("").await,
        [json!(["unknown", "999", 149_90, "open"])]
    );
}

/// The beginning of an upload in chunks: the first part, which is stored, and one byte more.
async fn begin_upload(fixture: &SettlementFixture) -> TcpStream {
    let staff = fixture.app.admin(&[AdminRole::Admin]).await;
    let signed_in = fixture.app.try_sign_in(&staff, PASSWORD).await;
    let mut content = paid_file(vec![detail("TID-1")]).into_bytes();
    content.resize(PART_BYTES + 1, b' ');
    let mut request = format!(
        "POST {SETTLEMENTS}/imports?provider=zoop&name=a.txt HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
         content-type: application/octet-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n{:x}\r\n",
        fixture.app.staff_host(),
        signed_in.text("/access_token"),
        content.len()
    )
    .into_bytes();
    request.extend(content);
    request.extend(b"\r\n");
    let mut stream = TcpStream::connect(fixture.app.addr())
        .await
        .expect("a connection");
    stream.write_all(&request).await.expect("the request is sent");
    let parts = "SELECT count(*) FROM settlement_file_part";
    fixture.app.until_count(parts, 1).await;
    stream
}

async fn answer_to(mut upload: TcpStream, end: &[u8]) -> String {
    upload.write_all(end).await.expect("the request is sent");
    let mut answer = vec![];
    upload.read_to_end(&mut answer).await.expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_file_may_take_longer_to_arrive_than_other_bodies() {
    const LIMIT: Duration = Duration::from_millis(300);
    let limit = LIMIT.as_millis().to_string();
    let fixture = SettlementFixture::open_with(&[("RAZAO_HTTP_BODY_MS", &limit)]).await;
    let upload = begin_upload(&fixture).await;
    // The limit of other bodies passes.
    tokio::time::sleep(2 * LIMIT).await;
    let answer = answer_to(upload, b"0\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
}

#[tokio::test]
async fn a_file_that_stopped_arriving_fails_and_other_files_are_read() {
    let fixture = SettlementFixture::open().await;
    let upload = begin_upload(&fixture).await;
    // An upload is interrupted if no part arrives for an hour.
    let hours_ago = "UPDATE settlement_import SET worked_at = worked_at - interval '2 hours'";
    fixture.app.execute(hours_ago).await;
    fixture.run_job().await;
    assert_eq!(fixture.app.rows("settlement_file_part").await, 0);
    let answer = answer_to(upload, b"0\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert_eq!(fixture.app.rows("settlement_file_part").await, 0);
    let import = &fixture.get("imports").await["data"][0];
    assert_eq!(
        (&import["state"], &import["failure"]),
        (&json!("failed"), &json!("interrupted"))
    );
    // The abandoned upload does not keep other files from being read.
    let next = fixture
        .import("extrato.txt", paid_file(vec![detail("TID-1")]))
        .await;
    assert_eq!(next["state"], "done");
}

#[tokio::test]
async fn an_upload_that_fails_and_cannot_be_removed_is_answered_with_the_first_error() {
    let fixture = SettlementFixture::open().await;
    let sql = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                   $$ BEGIN RAISE EXCEPTION 'no removal'; END $$;
               CREATE TRIGGER refused BEFORE DELETE ON settlement_import FOR EACH ROW EXECUTE FUNCTION refuse()";
    fixture.app.execute(sql).await;
    let upload = begin_upload(&fixture).await;
    // The first part is stored. The length of the second chunk is not hexadecimal: that is the 400.
    let answer = answer_to(upload, b"ZZ\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert_eq!(fixture.app.rows("settlement_file_part").await, 1);
}

#[tokio::test]
async fn a_user_who_loses_access_during_the_upload_imports_nothing() {
    let fixture = SettlementFixture::open().await;
    let upload = begin_upload(&fixture).await;
    fixture.app.execute("UPDATE admin_user SET active = false").await;
    let answer = answer_to(upload, b"0\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    assert_eq!(fixture.app.rows("settlement_import").await, 0);
    assert_eq!(fixture.app.rows("settlement_file_part").await, 0);
}

#[tokio::test]
async fn an_import_is_kept_only_with_its_audit_entry() {
    let fixture = SettlementFixture::open().await;
    let entries = "audit_log WHERE subject = 'settlement_import'";
    let file = paid_file(vec![detail("TID-1")]);
    fixture
        .app
        .execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'no audit entry'; END $$;
             CREATE TRIGGER refused BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse()",
        )
        .await;
    let answer = fixture.upload("extrato.txt", file.clone()).await;
    assert_eq!(answer.status, 500, "{}", answer.body);
    assert_eq!(fixture.app.rows("settlement_import").await, 0);
    fixture.app.execute("DROP TRIGGER refused ON audit_log").await;
    fixture.import("extrato.txt", file.clone()).await;
    assert_eq!(fixture.app.rows(entries).await, 1);
    // A repeated file changes nothing, so it has no entry.
    assert_eq!(fixture.upload("extrato.txt", file).await.status, 200);
    assert_eq!(fixture.app.rows(entries).await, 1);
}

#[tokio::test]
async fn the_same_file_changes_nothing_and_an_invalid_upload_is_refused() {
    let fixture = SettlementFixture::open().await;
    let file = paid_file(vec![detail("TID-1")]);
    let first = fixture.import("extrato.txt", file.clone()).await;
    let again = fixture.upload("outro-nome.txt", file.clone()).await;
    assert_eq!(
        (again.status, again.at("/repeated"), again.at("/id")),
        (200, &json!(true), &first["id"]),
        "{}",
        again.body
    );
    assert_eq!(fixture.get("imports").await["meta"]["total"], 1);
    assert_eq!(fixture.app.rows("settlement_file_part").await, 0);

    for (content, message) in [
        (Vec::new(), "Escolha um arquivo."),
        (
            b"<html>".to_vec(),
            "Este arquivo é uma página ou um arquivo XML. Envie um retorno de cobrança CNAB 240 ou CNAB 400, ou o \
             extrato eletrônico da Cielo na versão 15.",
        ),
    ] {
        let refused = fixture.upload("x.txt", content).await;
        assert_eq!((refused.status, refused.text("/errors/file/0")), (422, message));
    }
    let path = format!("{SETTLEMENTS}/imports?provider=nobody");
    let refused = fixture
        .staff
        .send_file(reqwest::Method::POST, &path, file.into_bytes())
        .await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.text("/errors/provider/0"), "Deve ser uma adquirente.");
    assert_eq!(refused.text("/errors/name/0"), "Informe o nome do arquivo.");
}

#[tokio::test]
async fn a_commercial_supervisor_lists_imports_and_cannot_upload() {
    let fixture = SettlementFixture::open().await;
    let supervisor = fixture.app.admin(&[AdminRole::CommercialSupervisor]).await;
    let supervisor = fixture.app.sign_in(&supervisor).await;
    assert_eq!(
        supervisor.get(&format!("{SETTLEMENTS}/imports")).await.status,
        200
    );
    let path = format!("{SETTLEMENTS}/imports?provider=zoop&name=a.txt");
    assert_eq!(
        supervisor
            .send_file(reqwest::Method::POST, &path, vec![])
            .await
            .status,
        403
    );
}

#[tokio::test]
async fn an_interrupted_import_starts_again_and_counts_nothing_twice() {
    let fixture = SettlementFixture::open().await;
    fixture.card_sale("TID-1").await;
    fixture.until_projected().await;
    let file = paid_file(vec![detail("TID-1"), detail("TID-1"), detail("TID-2")]);
    let first = fixture.import("extrato.txt", file.clone()).await;
    let before = (fixture.differences("state=all").await, fixture.day(DUE).await);
    // As if the process had died after its last batch: the lease has lapsed, and the file is still there.
    let id = first["id"].as_str().expect("an id");
    fixture
        .app
        .execute(&format!(
            "UPDATE settlement_import
                SET state = 'reading', ended_at = NULL, leased_until = now(), lines_read = 1 WHERE id = '{id}'"
        ))
        .await;
    let client = fixture.app.app.state.pool.get().await.expect("a connection");
    let part = "INSERT INTO settlement_file_part VALUES ($1::text::uuid, 0, $2)";
    client
        .execute(part, &[&id, &file.as_bytes()])
        .await
        .expect("a part");
    drop(client);
    fixture.run_job().await;
    let again = fixture.get(&format!("imports/{id}")).await;
    for field in [
        "state",
        "lines_read",
        "records_read",
        "records_changed",
        "bad_lines",
    ] {
        assert_eq!(again[field], first[field], "{field}");
    }
    let after = (fixture.differences("state=all").await, fixture.day(DUE).await);
    assert_eq!(after, before);
    // After five tries an import fails.
    fixture
        .app
        .execute(&format!(
            "UPDATE settlement_import SET state = 'reading', ended_at = NULL, leased_until = now() - interval '1 s',
                    tries = 5 WHERE id = '{id}'"
        ))
        .await;
    fixture.run_job().await;
    let failed = fixture.get(&format!("imports/{id}")).await;
    assert_eq!(
        (&failed["state"], &failed["failure"]),
        (&json!("failed"), &json!("interrupted"))
    );
}

/// Another process claims the import after the last batch of this one, as after a lapsed lease.
#[tokio::test]
async fn an_import_that_was_taken_over_keeps_its_file_for_the_other_process() {
    let fixture = SettlementFixture::open().await;
    let file = paid_file(vec![detail("TID-1"), detail("TID-2")]);
    let id = fixture.upload("extrato.txt", file).await.text("/id").to_owned();
    fixture
        .app
        .execute(
            "CREATE FUNCTION take_over() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN NEW.tries := NEW.tries + 1; RETURN NEW; END $$;
             CREATE TRIGGER take_over BEFORE UPDATE ON settlement_import FOR EACH ROW
                 WHEN (NEW.lines_read > OLD.lines_read) EXECUTE FUNCTION take_over()",
        )
        .await;
    let run = fixture.app.app.reconciliation().run().await;
    assert!(matches!(run, Err(ReconciliationError::TakenOver)), "{run:?}");
    let import = fixture.get(&format!("imports/{id}")).await;
    assert_eq!(
        (&import["state"], &import["records_read"]),
        (&json!("reading"), &json!(2))
    );
    assert_eq!(fixture.app.rows("settlement_file_part").await, 1);
    assert_eq!(fixture.app.rows("settlement_coverage").await, 0);
    fixture
        .app
        .execute(
            "DROP TRIGGER take_over ON settlement_import;
             UPDATE settlement_import SET leased_until = now() - interval '1 s'",
        )
        .await;
    fixture.run_job().await;
    let import = fixture.get(&format!("imports/{id}")).await;
    assert_eq!(
        (&import["state"], &import["records_read"]),
        (&json!("done"), &json!(2))
    );
    assert_eq!(fixture.app.rows("settlement_file_part").await, 0);
}

/// 25,000 boletos of two lines each, and four lines of headers and trailers.
#[tokio::test]
async fn a_file_of_fifty_thousand_lines_is_received_and_read_in_parts() {
    let fixture = SettlementFixture::open().await;
    let movements: Vec<_> = (1..=25_000)
        .map(|number| boleto(&format!("{number:08}"), "2026-11-13"))
        .collect();
    let answer = fixture
        .upload("retorno.ret", cnab240::write_file("341", &movements))
        .await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    let longest = "SELECT max(length(content))::int8 FROM settlement_file_part";
    assert_eq!(
        fixture.app.count(longest).await,
        i64::try_from(PART_BYTES).expect("a small number")
    );
    // 240 characters, carriage return and line feed.
    let parts = (50_004 * 242_usize).div_ceil(PART_BYTES);
    assert_eq!(
        fixture.app.rows("settlement_file_part").await,
        i64::try_from(parts).expect("a small number")
    );
    fixture.run_job().await;
    let import = fixture.get(&format!("imports/{}", answer.text("/id"))).await;
    assert_eq!(
        (
            &import["state"],
            &import["lines_read"],
            &import["records_changed"],
            &import["bytes_read"]
        ),
        (&json!("done"), &json!(50_004), &json!(25_000), &import["bytes"]),
        "{import}"
    );
    assert_eq!(fixture.app.rows("settlement_file_part").await, 0);
    let day = fixture.day("2026-11-13").await;
    assert_eq!(
        (&day["reported"], &day["open"]),
        (&json!(149_90_i64 * 25_000), &json!(25_000))
    );
}
