//! The calls that are measured: pages, orders, filters and searches of lists, and periods and parts of reports.

use chrono::{TimeDelta, Utc};
use ledger_domain::BusinessId;
use ledger_domain::calendar::business_date;

use super::world::{BIG_COMPANY, LAST_PAGE_SMALL, Panel, company_id, withdrawal_id};

/// The last page of 20 rows of a long list: pages by number end at row 10,000.
const LAST_PAGE_LARGE: u32 = 500;

pub struct ListCall {
    pub name: String,
    pub panel: Panel,
    /// The path on the small installation, and the one on the large installation. They differ in the last page only.
    pub small: String,
    pub large: String,
}

/// A list's path, its queries, and whether its last page is measured.
type Listed = (&'static str, &'static [&'static str], bool);

const LISTS: [Listed; 6] = [
    (
        "/api/admin/businesses",
        &[
            "",
            "order=asc",
            "sort=name&order=asc",
            "sort=name&order=desc",
            "status=enabled",
            "status=pending",
            "status=pending&sort=name&order=asc",
            "type=PF",
            "type=PF&sort=name&order=asc",
            "search=Pereira%20777",
            "search=pada",
            "search=padaria&status=enabled&sort=name&order=asc",
            "search=00000000000077",
        ],
        true,
    ),
    (
        "/api/admin/terminals",
        &[
            "",
            "order=desc",
            "sort=created_at&order=desc",
            "status=in_use",
            "status=in_stock",
            "billing_type=0",
            "billing_type=1",
            "business_id={company}",
            "serial_number=MAQ00007",
            "serial_number=777",
        ],
        true,
    ),
    (
        "/api/admin/sellers",
        &[
            "",
            "order=desc",
            "active=0",
            "business_id={company}",
            "search=souza%20777",
            "search=777",
        ],
        true,
    ),
    (
        "/api/admin/users",
        &["", "order=desc", "roles=sac", "active=1", "search=souza"],
        false,
    ),
    (
        "/api/admin/plans",
        &[
            "",
            "sort=description&order=asc",
            "solution=1",
            "active=1",
            "search=plano%207",
        ],
        false,
    ),
    (
        "/api/admin/plans/receiving",
        &["", "sort=description&order=asc", "active=1", "search=saque%207"],
        false,
    ),
];

pub fn list_calls() -> Vec<ListCall> {
    let company: BusinessId = company_id(BIG_COMPANY);
    let mut calls = vec![];
    for (path, queries, with_last_page) in LISTS {
        let name = path.trim_start_matches("/api/admin/");
        for query in queries {
            let path = format!(
                "{path}?perPage=20&{}",
                query.replace("{company}", &company.to_string())
            );
            let query = if query.is_empty() { "first page" } else { query };
            calls.push(ListCall {
                name: format!("{name} {query}"),
                panel: Panel::Staff,
                small: path.clone(),
                large: path,
            });
        }
        if with_last_page {
            let page = |page| format!("{path}?perPage=20&page={page}");
            calls.push(ListCall {
                name: format!("{name} last page"),
                panel: Panel::Staff,
                small: page(LAST_PAGE_SMALL),
                large: page(LAST_PAGE_LARGE),
            });
        }
    }
    calls
}

/// Staff's calls about sales, money and operations. `{company}` is the company with a tenth of the sales, `{month}` the
/// last 30 days.
const STAFF: [(&str, &[&str]); 18] = [
    ("/api/admin/overview", &[""]),
    (
        "/api/admin/transactions",
        &[
            "",
            "order=asc",
            "page=500",
            "status=succeeded",
            "status=canceled",
            "solution=1",
            "paymentType=pix",
            "business_id={company}",
            "name=bench-7777",
            "{month}",
            "{month}&by=captured",
            "{month}&by=reversed",
            "{month}&by=settled",
        ],
    ),
    (
        "/api/admin/transactions/totals",
        &[
            "",
            "status=succeeded",
            "status=canceled",
            "paymentType=pix",
            "{month}",
            "{month}&status=succeeded",
            "business_id={company}",
            "business_id={company}&status=succeeded",
        ],
    ),
    (
        "/api/admin/transactions/total/sales",
        &[
            "",
            "group=day",
            "group=week",
            "sort=name&order=asc",
            "business_id={company}",
        ],
    ),
    (
        "/api/admin/transactions/billing",
        &["", "group=hour", "group=week", "group=month", "paymentType=pix"],
    ),
    ("/api/admin/transactions/billing/businesses", &["", "group=day"]),
    ("/api/admin/transactions/financial/all", &["", "group=month"]),
    (
        "/api/admin/businesses/{company}/terminals/sales",
        &["", "group=month"],
    ),
    (
        "/api/admin/balance/transfers",
        &["", "status=0", "business_id={company}", "name=E0"],
    ),
    (
        "/api/admin/balance/holds",
        &[
            "",
            "state=open",
            "kind=judicial&state=open",
            "due_by={today}",
            "case_number=50-77.2026",
            "business_id={company}",
        ],
    ),
    ("/api/admin/balance/withdraws", &[""]),
    (
        "/api/admin/balance/history",
        &["business_id={company}", "business_id={company}&totals=1"],
    ),
    ("/api/admin/operations/payouts", &[""]),
    ("/api/admin/operations/refunds", &[""]),
    ("/api/admin/operations/emails", &[""]),
    ("/api/admin/operations/followers", &[""]),
    ("/api/admin/operations/receivables", &[""]),
    ("/api/admin/operations/negative-balances", &[""]),
];

/// The calls of the seller with a tenth of the sales. `{withdrawal}` consists of ten installments in the small
/// installation, and of 100,000 in the large one.
const SELLER: [(&str, &[&str]); 18] = [
    ("/api/overview", &["", "{days}&group=week"]),
    (
        "/api/transactions",
        &[
            "",
            "order=asc",
            "page=500",
            "status=succeeded",
            "status=canceled",
            "paymentType=pix",
            "name=bench-7777",
            "{month}&by=reversed",
            "{month}&by=settled",
        ],
    ),
    (
        "/api/transactions/totals",
        &[
            "",
            "status=succeeded",
            "status=canceled",
            "paymentType=pix",
            "{month}&status=succeeded",
        ],
    ),
    (
        "/api/transactions/report",
        &["", "group=hour", "group=week", "group=month", "paymentType=pix"],
    ),
    ("/api/transactions/financial", &["", "group=month"]),
    ("/api/business/{company}/terminals/sales", &["", "group=month"]),
    ("/api/balance/history", &["", "totals=1", "page=500"]),
    ("/api/balance/daily", &[""]),
    ("/api/balance/transfers", &["", "status=0", "name=E0"]),
    ("/api/balance/holds", &["", "state=open"]),
    ("/api/balance/debts", &[""]),
    ("/api/balance/transfers/{withdrawal}", &[""]),
    ("/api/balance/transfers/{withdrawal}/composition", &[""]),
    ("/api/balance/transfers/{withdrawal}/composition/days", &[""]),
    ("/api/receivables", &[""]),
    ("/api/receivables/units", &["{days}"]),
    ("/api/receivables/sales", &["date={today}"]),
    ("/api/payment-link", &[""]),
];

pub fn sale_calls() -> Vec<ListCall> {
    let company = company_id(BIG_COMPANY).to_string();
    let withdrawal = withdrawal_id().to_string();
    let today = business_date(Utc::now());
    let day = today.to_string();
    let days = format!("start={}&end={today}", today - TimeDelta::days(29));
    let month = format!("{days}&time_zone=America/Sao_Paulo");
    let mut calls = vec![];
    for (panel, lists) in [(Panel::Staff, &STAFF[..]), (Panel::Seller, &SELLER)] {
        for (path, queries) in lists {
            for query in *queries {
                let filled = |text: &str| {
                    text.replace("{company}", &company)
                        .replace("{withdrawal}", &withdrawal)
                        .replace("{month}", &month)
                        .replace("{days}", &days)
                        .replace("{today}", &day)
                };
                let name = format!("{}?{query}", path.trim_start_matches("/api/"));
                let path = format!("{}?{}", filled(path), filled(query));
                calls.push(ListCall {
                    name: name.trim_end_matches('?').to_owned(),
                    panel,
                    small: path.clone(),
                    large: path,
                });
            }
        }
    }
    calls
}
