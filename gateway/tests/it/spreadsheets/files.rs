//! The files of spreadsheets: their names, columns and times, and who can download them.

use std::collections::BTreeMap;

use calamine::DataType;
use gateway_http::spreadsheet::sheets;
use gateway_identity::roles::SellerRole;
use serde_json::json;

use super::lists::all_rows;
use super::sheet::{XLSX_MEDIA_TYPE, download};
use crate::support::movements::MovementsFixture;

#[tokio::test]
async fn the_file_has_the_requested_name_and_is_not_compressed_twice() {
    let fixture = MovementsFixture::open().await;
    let sheet = download(
        &fixture.seller,
        "/api/balance/history?filename=mar%C3%A7o%2F2026.xlsx",
    )
    .await;
    assert_eq!(
        sheet.header("content-disposition"),
        "attachment; filename=\"mar_o-2026.xlsx\"; filename*=UTF-8''mar%C3%A7o-2026.xlsx"
    );
    assert_eq!(
        (sheet.header("content-type"), sheet.header("content-encoding")),
        (XLSX_MEDIA_TYPE, "")
    );
    assert!(
        sheet
            .header("content-length")
            .parse::<u64>()
            .is_ok_and(|length| length > 0)
    );
}

#[tokio::test]
async fn times_are_in_the_time_zone_of_the_user() {
    let fixture = MovementsFixture::open().await;
    let zone = json!({ "time_zone": "America/Sao_Paulo" });
    assert_eq!(fixture.seller.patch("/api/sellers/me", zone).await.status, 200);
    let sheet = download(&fixture.seller, "/api/transactions").await;
    let reported = sheet.rows[0][1].to_string();
    let sales = all_rows(&fixture.seller, "/api/transactions").await;
    // Noon in Brasília. Without the user's zone, the file would have the tests' default, UTC.
    assert_eq!(sales[0]["occurred_at"], "2026-11-14T15:00:00Z");
    let noon = chrono::NaiveDate::from_ymd_opt(2026, 11, 14).and_then(|date| date.and_hms_opt(12, 0, 0));
    assert_eq!(sheet.rows[0][1].as_datetime(), noon, "{reported}");
}

#[tokio::test]
async fn a_spreadsheet_requires_the_same_role_company_and_filters_as_its_list() {
    let fixture = MovementsFixture::open().await;
    let spreadsheet_client = fixture.seller.clone().with("accept", XLSX_MEDIA_TYPE);
    let other = format!("/api/balance/history?business_id={}", fixture.other.id);
    assert_eq!(spreadsheet_client.get(&other).await.status, 404);
    let refused = spreadsheet_client
        .get("/api/transactions?status=vendida&filename=x")
        .await;
    assert_eq!(
        (refused.status, refused.at("/errors/status").is_array()),
        (422, true)
    );
    assert_eq!(refused.header("content-type"), Some("application/problem+json"));
    let operator = fixture
        .app
        .seller(&[(&fixture.company, SellerRole::Operator)])
        .await;
    let operator = fixture
        .app
        .sign_in(&operator)
        .await
        .with("accept", XLSX_MEDIA_TYPE);
    assert_eq!(operator.get("/api/balance/history").await.status, 403);
    assert_eq!(
        fixture
            .app
            .client()
            .with("accept", XLSX_MEDIA_TYPE)
            .get("/api/transactions")
            .await
            .status,
        401
    );
}

/// The panels have the titles of their columns from the same tables.
#[tokio::test]
async fn every_list_is_exported_with_the_columns_of_its_table() {
    let fixture = MovementsFixture::open().await;
    let sheets: BTreeMap<_, _> = sheets()
        .into_iter()
        .map(|sheet| (sheet.name, sheet.titles))
        .collect();
    let of_company = |list: &str| list.replace("{id}", &fixture.company.id.to_string());
    let lists = [
        (&fixture.seller, "sales", "/api/transactions"),
        (&fixture.staff, "staffSales", "/api/admin/transactions"),
        (&fixture.seller, "statement", "/api/balance/history"),
        (
            &fixture.staff,
            "staffStatement",
            "/api/admin/balance/history?business_id={id}",
        ),
        (&fixture.seller, "transfers", "/api/balance/transfers"),
        (&fixture.staff, "staffTransfers", "/api/admin/balance/transfers"),
        (&fixture.staff, "journal", "/api/admin/businesses/{id}/journal"),
        (&fixture.seller, "receivables", "/api/receivables"),
        (&fixture.seller, "receivableUnits", "/api/receivables/units"),
        (
            &fixture.seller,
            "dueInstallments",
            "/api/receivables/sales?date=2026-12-07",
        ),
        (&fixture.staff, "companies", "/api/admin/businesses"),
        (&fixture.seller, "team", "/api/business/users"),
        (&fixture.staff, "sellerUsers", "/api/admin/sellers"),
        (&fixture.staff, "staffUsers", "/api/admin/users"),
        (&fixture.staff, "terminals", "/api/admin/terminals"),
        (&fixture.seller, "ownTerminals", "/api/business/{id}/terminals"),
        (&fixture.seller, "links", "/api/payment-link"),
        (&fixture.staff, "staffLinks", "/api/admin/payment-links"),
        (&fixture.staff, "contactMessages", "/api/admin/contact-messages"),
        (&fixture.staff, "holds", "/api/admin/balance/holds"),
        (
            &fixture.staff,
            "holdDocuments",
            "/api/admin/balance/hold-documents",
        ),
        (
            &fixture.seller,
            "reservedInstallments",
            "/api/balance/reserve/installments",
        ),
        (
            &fixture.staff,
            "settlementDifferences",
            "/api/admin/settlements/differences",
        ),
        (
            &fixture.staff,
            "acquirerReceivables",
            "/api/admin/settlements/receivables",
        ),
        (&fixture.staff, "plans", "/api/admin/plans"),
        (&fixture.staff, "planChanges", "/api/admin/plans/changes"),
        (&fixture.staff, "receivingPlans", "/api/admin/plans/receiving"),
        (&fixture.seller, "reportEmails", "/api/report-emails"),
    ];
    assert_eq!(lists.len(), sheets.len());
    for (client, sheet, list) in lists {
        let titles = download(client, &of_company(list)).await.titles;
        let expected: Vec<_> = sheets[sheet].iter().map(|(_, title)| *title).collect();
        assert_eq!(titles, expected, "{sheet}");
    }
}

/// A staff user's file has the name of the chosen company, if one is chosen.
#[tokio::test]
async fn the_default_file_name_has_the_list_the_company_and_the_date() {
    let fixture = MovementsFixture::open().await;
    let company = fixture.company.id;
    for (client, path, name) in [
        (
            &fixture.seller,
            "/api/balance/transfers".to_owned(),
            "saques-padaria-aurora-2026-11-21",
        ),
        (
            &fixture.staff,
            format!("/api/admin/balance/transfers?business_id={company}"),
            "saques-padaria-aurora-2026-11-21",
        ),
        (
            &fixture.staff,
            format!("/api/admin/businesses/{company}/journal"),
            "razao-padaria-aurora-2026-11-21",
        ),
        (
            &fixture.staff,
            "/api/admin/transactions".to_owned(),
            "vendas-2026-11-21",
        ),
    ] {
        let sheet = download(client, &path).await;
        let reported = sheet.header("content-disposition").to_owned();
        assert!(
            reported.contains(&format!("filename=\"{name}.xlsx\"")),
            "{reported}"
        );
    }
}
