//! Reports as files: the same figures as the answer in JSON.

use calamine::Data;
use serde_json::Value;

use crate::spreadsheets::sheet::download;
use crate::support::movements::{MovementsFixture, rows};

/// The days of all sales of the fixture.
const PERIOD: &str = "start=2026-09-01&end=2026-11-21";

#[tokio::test]
async fn a_file_has_the_figures_of_the_answer() {
    let fixture = MovementsFixture::open().await;
    let path = format!("/api/transactions/report?group=month&{PERIOD}");
    let report = fixture.seller.get(&path).await.body;
    let sheet = download(&fixture.seller, &path).await;
    let column = |title: &str| {
        sheet
            .titles
            .iter()
            .position(|each| each == title)
            .expect("a column")
    };
    let (kind, gross) = (column("Visão"), column("Valor bruto"));
    let of_kind = |name: &str| -> Vec<f64> {
        let rows = sheet
            .rows
            .iter()
            .filter(|row| row[kind] == Data::String(name.to_owned()));
        rows.map(|row| match row[gross] {
            Data::Float(number) => number,
            ref other => panic!("{other:?}"),
        })
        .collect()
    };
    let months = report["periods"].as_array().expect("periods");
    let expected: Vec<f64> = months
        .iter()
        .map(|month| reais(&month["figures"]["gross"]))
        .collect();
    assert_eq!(of_kind("Mês"), expected);
    assert_eq!(of_kind("Total"), [reais(&report["totals"]["gross"])]);
    assert_eq!(of_kind("Forma de pagamento").len(), 2);

    let path = format!("/api/admin/transactions/billing/businesses?{PERIOD}&perPage=1");
    let report = fixture.staff.get(&path).await.body;
    assert_eq!(rows(&report).len(), 1);
    let csv = fixture.staff.clone().with("accept", "text/csv");
    let (status, headers, bytes) = csv.download(&path).await;
    assert_eq!(status, 200);
    assert_eq!(headers["content-type"], "text/csv; charset=utf-8");
    let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let text = text.strip_prefix('\u{feff}').expect("a byte order mark");
    let lines: Vec<&str> = text.split("\r\n").collect();
    // The titles, both companies, the totals, and nothing after the last line's end.
    assert_eq!((lines.len(), lines[4]), (5, ""));
    let titles: Vec<&str> = lines[0].split(';').collect();
    let total_revenue = titles
        .iter()
        .position(|title| *title == "Receita total")
        .expect("a column");
    let totals: Vec<&str> = lines[3].split(';').collect();
    let cents = report["platform_fees"]["total"].as_i64().expect("a number");
    assert_eq!(
        (totals[0], totals[total_revenue]),
        ("Total", &*format!("{},{:02}", cents / 100, cents % 100))
    );
}

fn reais(cents: &Value) -> f64 {
    let cents = cents.as_i64().expect("cents");
    format!("{}.{:02}", cents / 100, cents % 100)
        .parse()
        .expect("a number")
}
