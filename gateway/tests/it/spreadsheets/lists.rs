//! Opens spreadsheets of lists and compares them with the API, row by row.

use std::collections::BTreeSet;

use calamine::DataType;
use chrono::{Datelike, NaiveDate};
use gateway_platform::withdrawals::TransferSignal;
use ledger_domain::Cents;
use ledger_domain::business::{BusinessCommand, RefundSale, Refunded};
use ledger_domain::sale::PaymentNames;
use serde_json::Value;

use super::sheet::{Cell, download};
use crate::support::movements::{DESCRIPTION, MovementsFixture, rows};
use crate::support::{Client, Sale};

/// By the number of days since Sunday.
const WEEKDAYS: [&str; 7] = [
    "domingo",
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
];

/// By a transfer's status, 0 to 4.
const STATUSES: [&str; 5] = ["Pendente", "Concluído", "Em processamento", "Recusado", "Falha"];

/// The first 100 rows of a list.
pub(super) async fn all_rows(client: &Client, path: &str) -> Vec<Value> {
    let separator = if path.contains('?') { '&' } else { '?' };
    let page = client.get(&format!("{path}{separator}perPage=100")).await;
    assert_eq!(page.status, 200, "{}", page.body);
    rows(&page.body).to_vec()
}

fn word(words: &[&str], number: &Value) -> Cell {
    let number = usize::try_from(number.as_u64().expect("a number")).expect("a small one");
    Cell::Text(words[number].to_owned())
}

/// The last twelve characters of an id in capitals, as the screens show it.
pub fn short_code(id: &Value) -> Cell {
    let code = |id: &str| Cell::Text(id[id.len() - 12..].to_uppercase());
    id.as_str().map_or(Cell::Empty, code)
}

/// The name of a line's kind. A kind covers one or more movements.
fn movement_kind(line: &Value) -> Cell {
    let movement = line["movement"].as_str().expect("a movement");
    let name = match movement {
        "settlement" | "accelerated" | "dispute_won" => "Venda",
        "withdrawal" | "withdrawal_taken_again" => "Saque",
        "withdrawal_refused" | "withdrawal_failed" | "withdrawal_returned" => "Devolução de saque",
        "manual_removal" | "manual_credit" => "Ajuste manual",
        "hold" => "Bloqueio",
        "release" => "Liberação",
        "rental" => "Aluguel",
        "rental_canceled" => "Devolução de aluguel",
        _ => "Cancelamento ou contestação",
    };
    Cell::Text(name.to_owned())
}

fn statement_row(line: &Value) -> Vec<Cell> {
    vec![
        Cell::instant(&line["occurred_at"]),
        movement_kind(line),
        Cell::text(&line["description"]),
        short_code(&line["sale_id"]),
        Cell::money(&line["amount"]),
        Cell::money(&line["balance"]),
    ]
}

/// Staff see the event and the time of its recording instead of the sale.
fn staff_statement_row(line: &Value) -> Vec<Cell> {
    vec![
        Cell::instant(&line["occurred_at"]),
        movement_kind(line),
        Cell::text(&line["description"]),
        Cell::instant(&line["recorded_at"]),
        Cell::text(&line["event_id"]),
        Cell::money(&line["amount"]),
        Cell::money(&line["balance"]),
    ]
}

/// Such as 12.345.678/0001-95.
fn formatted_cnpj(digits: &str) -> String {
    let (base, check) = digits.split_at(12);
    format!(
        "{}.{}.{}/{}-{check}",
        &base[..2],
        &base[2..5],
        &base[5..8],
        &base[8..]
    )
}

fn transfer_row(transfer: &Value) -> Vec<Cell> {
    let reason = if transfer["reason"].is_null() {
        "description"
    } else {
        "reason"
    };
    let kind = ["Saque", "Ajuste manual", "Aluguel de maquininha"];
    let key = &transfer["destination_details"]["key"];
    let adjustment = match transfer["direction"].as_str() {
        Some("out") => "Ajuste manual: débito",
        _ => "Ajuste manual: crédito",
    };
    let destination = key.as_str().map_or(adjustment.to_owned(), |key| {
        format!("PIX {}", formatted_cnpj(key))
    });
    vec![
        Cell::instant(&transfer["requested_at"]),
        word(&kind, &transfer["kind"]),
        word(&STATUSES, &transfer["status"]),
        Cell::Text(destination),
        Cell::text(&transfer[reason]),
        Cell::instant(&transfer["updated_at"]),
        match transfer["author"]["kind"].as_str() {
            Some("automatic") => Cell::Text("Sistema".to_owned()),
            Some("staff") if transfer["author"]["name"].is_null() => {
                Cell::Text("Equipe da plataforma".to_owned())
            }
            _ => Cell::text(&transfer["author"]["name"]),
        },
        Cell::money(&transfer["amount"]),
        Cell::money(&transfer["fee"]),
        Cell::money(&transfer["net_amount"]),
        bank_name(&transfer["names"]),
        bank_name(&transfer["return_names"]),
    ]
}

fn bank_name(names: &Value) -> Cell {
    let system = if names["end_to_end_id"].is_string() {
        "end_to_end_id"
    } else {
        "control_number"
    };
    Cell::text(&names[system])
}

#[tokio::test]
async fn the_statement_spreadsheet_has_the_lines_of_the_api() {
    let fixture = MovementsFixture::open().await;
    for query in ["", "?order=asc", "?start=2026-11-07&end=2026-11-21"] {
        let path = format!("/api/balance/history{query}");
        let sheet = download(&fixture.seller, &path).await;
        let lines = all_rows(&fixture.seller, &path).await;
        let expected: Vec<_> = lines.iter().map(statement_row).collect();
        assert!(!expected.is_empty());
        sheet.assert_rows(&expected);
    }
    let path = format!("/api/admin/balance/history?business_id={}", fixture.company.id);
    let sheet = download(&fixture.staff, &path).await;
    let lines = all_rows(&fixture.staff, &path).await;
    sheet.assert_rows(&lines.iter().map(staff_statement_row).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_sales_spreadsheet_has_the_filtered_sales() {
    let fixture = MovementsFixture::open().await;
    let words = |sale: &Value| match sale["payment_type"].as_str() {
        Some("credit") => (
            "Crédito 3x",
            Cell::Text("Visa •••• 4242".to_owned()),
            Cell::Text("A1B2C3".to_owned()),
        ),
        _ => ("PIX", Cell::Empty, Cell::Empty),
    };
    for (query, count) in [("", 2), ("?paymentType=pix", 1), ("?start=2026-11-20", 0)] {
        let path = format!("/api/transactions{query}");
        let sheet = download(&fixture.seller, &path).await;
        let sales = all_rows(&fixture.seller, &path).await;
        assert_eq!(sales.len(), count, "{query}");
        let row = |sale: &Value| {
            let (payment, brand, authorization) = words(sale);
            let mut cells = vec![
                short_code(&sale["id"]),
                Cell::instant(&sale["occurred_at"]),
                Cell::Text("Aprovado".to_owned()),
                Cell::Text("Maquininha".to_owned()),
                Cell::Text(payment.to_owned()),
                brand,
                Cell::text(&sale["terminal"]["serial_number"]),
                Cell::instant(&sale["captured_at"]),
                Cell::money(&sale["amount"]),
                Cell::Money(
                    sale["amount"].as_i64().expect("cents") - sale["net_amount"].as_i64().expect("cents"),
                ),
                Cell::money(&sale["net_amount"]),
                Cell::Empty,
                Cell::Text("Zoop".to_owned()),
                authorization,
                Cell::text(&sale["external_id"]),
            ];
            // The acquirer named neither the payment nor its authentication.
            cells.extend((0..9).map(|_| Cell::Empty));
            cells
        };
        sheet.assert_rows(&sales.iter().map(row).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn the_sales_spreadsheet_has_what_went_back_to_the_buyer() {
    let fixture = MovementsFixture::open().await;
    let path = "/api/transactions?paymentType=credit";
    let sale = all_rows(&fixture.seller, path).await.remove(0);
    let amount = sale["amount"].as_i64().expect("cents");
    let sale_id = sale["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    for (refunded, returned) in [
        (
            Refunded::Amount {
                amount: Cents::new(10_01),
                refund: None,
            },
            10_01,
        ),
        (Refunded::Rest { refund: None }, amount),
    ] {
        let refund = BusinessCommand::RefundSale(RefundSale {
            sale_id,
            refunded,
            occurred_at: fixture.app.app.state.clock.now(),
            reason: None,
            names: PaymentNames::default(),
        });
        fixture.app.submit(&fixture.company, refund).await;
        fixture.app.until_projected().await;
        let sheet = download(&fixture.seller, path).await;
        let place = sheet.titles.iter().position(|title| title == "Estornado");
        let cell = &sheet.rows[0][place.expect("a column")];
        let shown = format!("{:.2}", cell.get_float().expect("money"));
        assert_eq!(shown, format!("{}.{:02}", returned / 100, returned % 100));
    }
}

/// The acquirer knows such a sale by the platform's id.
#[tokio::test]
async fn the_sale_of_a_payment_link_has_no_code_of_the_acquirer() {
    const LINK: &str = "2F6F4F5A1B0B";
    let fixture = MovementsFixture::open().await;
    let mut sale = Sale::pix().days_ago(1);
    sale.facts.payment_link_code = Some(LINK.to_owned());
    sale.facts.external_id = sale.facts.sale_id.to_string();
    fixture.app.capture(&fixture.company, &sale).await;
    fixture.app.until_projected().await;
    for (client, path) in [
        (&fixture.seller, "/api/transactions"),
        (&fixture.staff, "/api/admin/transactions"),
    ] {
        let sheet = download(client, path).await;
        let place = |title: &str| sheet.titles.iter().position(|found| found == title);
        let origin = place("Maquininha ou link").expect("a column");
        let code = place("Código na adquirente").expect("a column");
        let (by_link, others): (Vec<_>, Vec<_>) = sheet
            .rows
            .iter()
            .partition(|row| row[origin].get_string() == Some(LINK));
        assert_eq!(by_link.len(), 1, "{path}");
        assert!(by_link.iter().all(|row| row[code].is_empty()), "{path}");
        assert!(
            !others.is_empty() && others.iter().all(|row| row[code].is_string()),
            "{path}"
        );
    }
}

/// The place of the signals in staff's spreadsheet.
const BESIDE_THE_AMOUNT: usize = 9;

fn signals(transfer: &Value) -> Cell {
    let words = transfer["signals"].as_array().expect("signals");
    let labels: Vec<_> = words
        .iter()
        .map(|word| TransferSignal::parse(word.as_str().expect("a word")).expect("a signal"))
        .map(TransferSignal::label)
        .collect();
    match labels.as_slice() {
        [] => Cell::Empty,
        labels => Cell::Text(labels.join(", ")),
    }
}

#[tokio::test]
async fn the_transfer_spreadsheets_have_the_transfers_in_the_order_of_the_list() {
    let fixture = MovementsFixture::open().await;
    for query in ["", "?status=3", "?order=asc"] {
        let path = format!("/api/balance/transfers{query}");
        let sheet = download(&fixture.seller, &path).await;
        let transfers = all_rows(&fixture.seller, &path).await;
        assert!(!transfers.is_empty(), "{query}");
        sheet.assert_rows(&transfers.iter().map(transfer_row).collect::<Vec<_>>());
    }
    let of_company = format!("/api/admin/balance/transfers?business_id={}", fixture.company.id);
    for path in [
        "/api/admin/balance/transfers",
        "/api/admin/balance/withdraws",
        of_company.as_str(),
    ] {
        let sheet = download(&fixture.staff, path).await;
        let transfers = all_rows(&fixture.staff, path).await;
        assert_eq!(transfers[0]["status"], 0, "waiting transfers come first: {path}");
        let row = |transfer: &Value| {
            let company = &transfer["business"];
            let mut row = vec![Cell::Text(format!(
                "{} · {}",
                company["name"].as_str().expect("a name"),
                formatted_cnpj(company["document"].as_str().expect("a document"))
            ))];
            row.extend(transfer_row(transfer));
            row.insert(BESIDE_THE_AMOUNT, signals(transfer));
            row.push(Cell::money(&transfer["available_now"]));
            row.push(Cell::instant(&transfer["destination_changed_at"]));
            row.push(Cell::instant(&transfer["requester_access_at"]));
            row
        };
        sheet.assert_rows(&transfers.iter().map(row).collect::<Vec<_>>());
    }
    let sheet = download(&fixture.seller, "/api/balance/transfers").await;
    let described = sheet
        .rows
        .iter()
        .filter(|row| row[4].get_string() == Some(DESCRIPTION));
    assert_eq!(
        described.count(),
        1,
        "a text that looks like a formula remains text"
    );
}

#[tokio::test]
async fn the_spreadsheet_of_a_withdrawal_has_the_credits_that_it_consists_of() {
    let fixture = MovementsFixture::open().await;
    let (mut undone, mut named_by_sales) = (0, 0);
    for transfer in all_rows(&fixture.seller, "/api/balance/transfers").await {
        let id = transfer["id"].as_str().expect("an id");
        for (client, panel) in [(&fixture.seller, "/api"), (&fixture.staff, "/api/admin")] {
            let path = format!("{panel}/balance/transfers/{id}/composition");
            let credits = all_rows(client, &path).await;
            let amounts = credits
                .iter()
                .map(|credit| credit["amount"].as_i64().expect("cents"));
            let is_undone = transfer["status"] == 3;
            let expected = if is_undone {
                &Value::from(0)
            } else {
                &transfer["amount"]
            };
            assert_eq!(&Value::from(amounts.sum::<i64>()), expected, "{id}");
            undone += u32::from(is_undone);
            assert_eq!(paged(client, &path).await, credits, "{id}");
            let sheet = download(client, &path).await;
            let row = |credit: &Value| {
                let movement = &credit["movement"];
                vec![
                    Cell::instant(&movement["occurred_at"]),
                    Cell::Text(movement["description"].as_str().expect("a text").to_owned()),
                    short_code(&movement["sale_id"]),
                    Cell::money(&credit["installment"]["gross"]),
                    Cell::money(&credit["installment"]["fees"]),
                    Cell::money(&credit["installment"]["refunded"]),
                    Cell::money(&movement["amount"]),
                    Cell::money(&credit["amount"]),
                ]
            };
            sheet.assert_rows(&credits.iter().map(row).collect::<Vec<_>>());
            for credit in credits
                .iter()
                .filter(|credit| !credit["movement"]["sale_id"].is_null())
            {
                let sale = credit["movement"]["sale_id"].as_str().expect("an id");
                let uses = client.get(&format!("{panel}/transactions/{sale}/uses")).await;
                let named = uses.at("/data").as_array().expect("credits").iter().any(|used| {
                    let parts = used["parts"].as_array().expect("parts");
                    let is_part = |part: &Value| {
                        part["movement"]["transfer_id"] == id && part["amount"] == credit["amount"]
                    };
                    used["movement"]["id"] == credit["movement"]["id"] && parts.iter().any(is_part)
                });
                assert!(named, "the sale does not name {id}: {}", uses.body);
                named_by_sales += 1;
            }
        }
    }
    assert!(named_by_sales > 0);
    assert_eq!(undone, 2, "the refused withdrawal, in both panels");
}

/// The rows of a list in pages of one row.
async fn paged(client: &Client, path: &str) -> Vec<Value> {
    let (mut all, mut next) = (vec![], String::new());
    loop {
        let page = client.get(&format!("{path}?perPage=1{next}")).await;
        assert_eq!(page.status, 200, "{}", page.body);
        all.extend_from_slice(rows(&page.body));
        let Some(cursor) = page.body["meta"]["next"].as_str() else {
            return all;
        };
        next = format!("&next={cursor}");
    }
}

#[tokio::test]
async fn the_spreadsheet_of_the_receivables_schedule_has_one_row_for_each_day() {
    let fixture = MovementsFixture::open().await;
    let path = "/api/receivables?start=2026-09-01&end=2026-12-31";
    let sheet = download(&fixture.seller, path).await;
    let days = fixture.seller.get(path).await.body;
    let cents = |day: &Value, field: &str| day[field].as_i64().expect("cents");
    let due_date =
        |day: &Value| -> NaiveDate { day["due_date"].as_str().expect("a date").parse().expect("a date") };
    let row = |day: &Value| {
        vec![
            Cell::Date(due_date(day)),
            Cell::Text(WEEKDAYS[due_date(day).weekday().num_days_from_sunday() as usize].to_owned()),
            Cell::Count(day["count"].as_i64().expect("a count")),
            Cell::money(&day["expected"]),
            Cell::money(&day["settled"]),
            Cell::money(&day["accelerated"]),
            Cell::Money(cents(day, "expected") - cents(day, "settled") - cents(day, "accelerated")),
        ]
    };
    // The due dates of three installments and of the PIX sale.
    assert_eq!(rows(&days).len(), 4);
    sheet.assert_rows(&rows(&days).iter().map(row).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_spreadsheet_has_all_rows_of_all_pages() {
    let fixture = MovementsFixture::open().await;
    // All copies have the same instant, so the pages split between sales that the instant cannot order.
    fixture
        .app
        .execute(
            "INSERT INTO sale SELECT copy.*
               FROM sale, generate_series(1, 2500) AS n,
                    jsonb_populate_record(sale, jsonb_build_object('sale_id', md5(n::text)::uuid)) AS copy
              WHERE sale.payment_type = 'credit'",
        )
        .await;
    let sheet = download(&fixture.seller, "/api/transactions?page=2&perPage=10").await;
    let ids: BTreeSet<String> = sheet.rows.iter().map(|row| row[0].to_string()).collect();
    assert_eq!((sheet.rows.len(), ids.len()), (2_502, 2_502));
    let cents = |column: usize| -> i64 {
        let digits = |row: &Vec<calamine::Data>| format!("{:.2}", row[column].get_float().expect("money"));
        let cents = sheet.rows.iter().map(|row| digits(row).replace('.', ""));
        cents.map(|text| text.parse::<i64>().expect("cents")).sum()
    };
    // 2,501 sales of R$ 300,00 with a fee of 5 %, and one PIX sale of R$ 50,00 with 1 %.
    assert_eq!(cents(8), 2_501 * 300_00 + 50_00);
    assert_eq!(cents(9), 2_501 * 15_00 + 50);
    assert_eq!(cents(10), 2_501 * 285_00 + 49_50);
}

#[tokio::test]
async fn the_staff_spreadsheet_of_sales_names_each_company() {
    let fixture = MovementsFixture::open().await;
    let path = "/api/admin/transactions";
    let sales = all_rows(&fixture.staff, path).await;
    let sheet = download(&fixture.staff, path).await;
    assert_eq!(sheet.titles[..3], ["Venda", "Empresa", "Data da venda"]);
    assert_eq!(sheet.rows.len(), sales.len());
    for (row, sale) in sheet.rows.iter().zip(&sales) {
        assert_eq!(
            row[1].to_string(),
            sale["business"]["name"].as_str().expect("a name")
        );
        let id = sale["id"].as_str().expect("an id");
        assert_eq!(row[0].to_string(), id[id.len() - 12..].to_uppercase());
    }
    let of_other = format!("{path}?business_id={}", fixture.other.id);
    assert_eq!(
        download(&fixture.staff, &of_other).await.rows.len(),
        2,
        "the sales of the other company"
    );
}
