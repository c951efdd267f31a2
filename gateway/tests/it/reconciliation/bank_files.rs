//! Files that banks and acquirers wrote: what is read of them, what waits for staff, and what is refused.

use gateway_formats::settlement_files::card_file::CardEntryType;
use serde_json::{Value, json};

use super::{SETTLEMENTS, SettlementFixture, detail, paid_file};
use crate::support::{Answer, Sale};

fn bank_file(name: &str) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/bank_files/");
    std::fs::read(format!("{path}{name}")).expect("a file")
}

impl SettlementFixture {
    /// The file of another day, which its sender has confirmed.
    async fn import_confirmed(&self, name: &str) -> Value {
        let path = format!("{SETTLEMENTS}/imports?provider=zoop&name={name}&confirm_date=1");
        let answer = self
            .staff
            .send_file(reqwest::Method::POST, &path, bank_file(name))
            .await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        self.run_job().await;
        self.get(&format!("imports/{}", answer.text("/id"))).await
    }

    /// What acquirers report, as entry, reference, gross and cost, in the order of their text.
    async fn reported(&self) -> Vec<Value> {
        let list = self.get("receivables?perPage=100").await;
        let rows = list["data"].as_array().expect("rows").iter();
        let mut rows: Vec<_> = rows
            .map(|row| json!([row["entry"], row["reference"], row["gross"], row["cost"]]))
            .collect();
        rows.sort_by_key(Value::to_string);
        rows
    }
}

fn refusal(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.text("/errors/file/0"))
}

#[tokio::test]
async fn a_payment_at_the_notary_and_one_that_is_taken_back_are_reported() {
    let fixture = SettlementFixture::open().await;
    let import = fixture
        .import("itau.ret", bank_file("itau_08_cartorio.ret"))
        .await;
    assert_eq!(
        (&import["state"], &import["records_read"], &import["bad_lines"]),
        (&json!("done"), &json!(2), &json!(0)),
        "{import}"
    );
    fixture
        .import("bb.ret", bank_file("bb_44_cheque_devolvido.ret"))
        .await;
    assert_eq!(
        fixture.reported().await,
        [
            json!(["cancellation", "9000000006", -150_00, 0]),
            json!(["payment", "9000000001", 150_00, 0]),
            json!(["payment", "9000000002", 150_00, 0]),
            json!(["payment", "9000000006", 150_00, 0]),
        ]
    );
    // Staff see both the payment and its reversal, because no sale has the number.
    let unknown = fixture.differences("kind=unknown").await;
    assert_eq!(unknown.len(), 4, "{unknown:?}");
}

#[tokio::test]
async fn mended_files_keep_their_payments_and_the_import_says_what_was_mended() {
    let fixture = SettlementFixture::open().await;
    for (name, warning) in [
        (
            "trim.ret",
            json!({ "reason": "short_line", "parameters": {}, "line": 3, "count": 2 }),
        ),
        (
            "cr_only.ret",
            json!({ "reason": "carriage_return", "parameters": {}, "line": 1, "count": 5 }),
        ),
        (
            "btg_fee_shift.ret",
            json!({ "reason": "fee_unknown", "parameters": {}, "line": 3, "count": 1 }),
        ),
        (
            "trailer_count_zero.ret",
            json!({ "reason": "count", "parameters": { "stated": 0, "found": 6 }, "line": 6, "count": 1 }),
        ),
    ] {
        let import = fixture.import(name, bank_file(name)).await;
        assert_eq!(
            (&import["state"], &import["records_read"], &import["warnings"]),
            (&json!("done"), &json!(1), &json!([warning])),
            "{import}"
        );
    }
    let reported = fixture.reported().await;
    assert!(
        reported.contains(&json!(["payment", "9000000018", 150_00, null])),
        "{reported:?}"
    );
}

#[tokio::test]
async fn a_file_in_utf_16_is_read_and_the_import_says_so() {
    let fixture = SettlementFixture::open().await;
    let encoded = |code: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let file = bank_file("itau_08_cartorio.ret");
        let marked = [0xFEFF]
            .into_iter()
            .chain(file.iter().map(|byte| u16::from(*byte)));
        marked.flat_map(code).collect()
    };
    for (name, code) in [
        ("le.ret", u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("be.ret", u16::to_be_bytes),
    ] {
        let import = fixture.import(name, encoded(code)).await;
        assert_eq!(
            (
                &import["state"],
                &import["records_read"],
                &import["warnings"][0]["reason"]
            ),
            (&json!("done"), &json!(2), &json!("utf16")),
            "{import}"
        );
    }
}

/// A sale of R$ 132,11 at an agreed 2,48 %, as a real statement reports it with a fee of −3,28.
#[tokio::test]
async fn a_real_card_statement_agrees_with_the_expected_rate() {
    let fixture = SettlementFixture::open().await;
    let rate = json!({
        "provider": 1, "payment_type": "credit", "valid_from": "2026-01-01", "percent": "2.48", "flat": 0,
    });
    let created = fixture.staff.post(&format!("{SETTLEMENTS}/rates"), rate).await;
    assert_eq!(created.status, 201, "{}", created.body);
    let mut sale = Sale::card().amount(132_11).days_ago(141);
    sale.facts.installments = 1;
    fixture.capture(sale, "10000000015AAAAAAAAA").await;
    fixture.until_projected().await;
    let import = fixture.import_confirmed("cielo04.txt").await;
    assert_eq!(
        (&import["state"], &import["records_read"], &import["bad_lines"]),
        (&json!("done"), &json!(1), &json!(0)),
        "{import}"
    );
    assert_eq!(
        fixture.reported().await,
        [json!(["payment", "10000000015AAAAAAAAA", 132_11, 3_28])]
    );
    let differences = fixture.differences("").await;
    let fees = differences.iter().filter(|difference| difference[0] == "fee");
    assert_eq!(fees.count(), 0, "{differences:?}");
}

#[tokio::test]
async fn a_file_without_payments_to_read_is_refused_with_the_name_of_what_it_is() {
    let fixture = SettlementFixture::open().await;
    let line = |text: &str| format!("{text:<240}\r\n");
    let payments = [line("23700000"), line("23700011C2045"), line("2370001300001A000")].concat();
    let cielo = |kind: &str, version: &str| {
        format!(
            "010000000012026112020261120202611200001265CIELO{kind}I{:20}{version}03N",
            ""
        )
    };
    for (content, begins) in [
        (
            payments,
            "Este arquivo é de pagamentos a fornecedores, salários ou tributos (CNAB 240).",
        ),
        (
            line("01REMESSA01COBRANCA"),
            "Este arquivo é uma remessa, que a empresa envia ao banco.",
        ),
        (
            cielo("04", "014"),
            "Este arquivo é um extrato da Cielo na versão 14.",
        ),
        (
            cielo("16", "015"),
            "Este arquivo é o CIELO16 (vendas por PIX), que não tem pagamentos de cartão.",
        ),
        (
            format!("02RETORNO01COBRANCA{:57}004B.DO NORDESTE", ""),
            "Este arquivo é um retorno CNAB 400 do banco 004, cujo layout não lemos.",
        ),
    ] {
        let refused = fixture.upload("x.txt", content).await;
        let (status, message) = refusal(&refused);
        assert_eq!(status, 422);
        assert!(message.starts_with(begins), "{message}");
    }
    assert_eq!(fixture.app.rows("settlement_import").await, 0);
}

/// The tests' today is 2026-11-21. The statement is of 2026-12-08.
#[tokio::test]
async fn a_file_dated_far_ahead_is_imported_only_after_a_confirmation() {
    let fixture = SettlementFixture::open().await;
    let file = paid_file(vec![detail("TID-1")]).replacen("20261112", "20261208", 1);
    let asked = fixture.upload("extrato.txt", file.clone()).await;
    assert_eq!(
        (asked.status, asked.text("/type")),
        (409, "/problems/settlement-file-date"),
        "{}",
        asked.body
    );
    assert_eq!(
        asked.text("/message"),
        "O arquivo é do dia 08/12/2026, daqui a 17 dias. Confira se é o arquivo certo antes de importar."
    );
    assert_eq!(fixture.app.rows("settlement_import").await, 0);
    let path = format!("{SETTLEMENTS}/imports?provider=zoop&name=extrato.txt&confirm_date=1");
    let confirmed = fixture
        .staff
        .send_file(reqwest::Method::POST, &path, file.into_bytes())
        .await;
    assert_eq!(confirmed.status, 201, "{}", confirmed.body);
}

/// The header has no date, and the payments are of 2026-12-08.
#[tokio::test]
async fn a_file_without_a_date_whose_payments_are_far_ahead_asks_too() {
    let fixture = SettlementFixture::open().await;
    let file = paid_file(vec![detail("TID-1")])
        .replacen("20261112", "00000000", 1)
        .replace("11112026", "08122026");
    let asked = fixture.upload("extrato.txt", file).await;
    assert_eq!(
        (asked.status, asked.text("/type")),
        (409, "/problems/settlement-file-date"),
        "{}",
        asked.body
    );
    assert_eq!(
        asked.text("/message"),
        "O arquivo tem pagamentos do dia 08/12/2026, daqui a 17 dias. Confira se é o arquivo certo antes de importar."
    );
    assert_eq!(fixture.app.rows("settlement_import").await, 0);
}

#[tokio::test]
async fn an_import_that_takes_nothing_fails_with_its_own_word_and_can_be_sent_again() {
    let fixture = SettlementFixture::open().await;
    let mut rent = detail("TID-1");
    rent.entry_type = CardEntryType::Other(10);
    let file = paid_file(vec![rent]);
    for _ in 0..2 {
        let import = fixture.import("extrato.txt", file.clone()).await;
        assert_eq!(
            (
                &import["state"],
                &import["failure"],
                &import["records_read"],
                &import["bad_lines"]
            ),
            (&json!("failed"), &json!("nothing_taken"), &json!(0), &json!(1)),
            "{import}"
        );
        assert_eq!(
            import["bad"][0]["parameters"],
            json!({ "code": 10, "amount": 97_50, "reference": "TID-1" })
        );
        let list = fixture.get("imports").await;
        assert_eq!(list["data"][0]["failure"], "nothing_taken");
    }
    assert_eq!(fixture.app.rows("settlement_import").await, 2);
    assert_eq!(fixture.app.rows("settlement_file_part").await, 0);
}

/// The bank's field has the amount without its fee, and parts of a boleto add up.
#[tokio::test]
async fn a_cnab_400_file_is_compared_with_boletos() {
    let fixture = SettlementFixture::open().await;
    let import = fixture.import_confirmed("cnab400_341_itau.ret").await;
    assert_eq!(
        (&import["state"], &import["source"], &import["records_read"]),
        (&json!("done"), &json!("cnab400"), &json!(3)),
        "{import}"
    );
    assert_eq!(
        fixture.reported().await,
        [
            json!(["payment", "09000011", 40_00, 2_10]),
            json!(["payment", "09000022", 40_00, 2_10]),
            json!(["payment", "09000033", 40_00, 2_10]),
        ]
    );
}
