//! Each figure of a screen is the sum of the list that it leads to. The lists are read whole, and the figures are added up
//! here from their rows.

use chrono::{Datelike, Days, Months, TimeDelta};
use ledger_domain::calendar::Date;
use serde_json::{Value, json};

use crate::support::Client;

const ZONE: &str = "time_zone=America/Sao_Paulo";

/// Reads the screens of a seller (`/api`) or of staff (`/api/admin`).
pub struct Screens<'a> {
    pub client: &'a Client,
    /// The company of a seller.
    pub company: Option<String>,
}

impl Screens<'_> {
    async fn get(&self, path: &str) -> Value {
        let path = match &self.company {
            Some(company) if path.contains('?') => format!("{path}&business_id={company}"),
            Some(company) => format!("{path}?business_id={company}"),
            None => path.to_owned(),
        };
        let answer = self.client.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    /// All rows of a list, page by page.
    async fn all(&self, path: &str) -> Vec<Value> {
        let mark = if path.contains('?') { '&' } else { '?' };
        let mut found = vec![];
        for page in 1.. {
            let answer = self.get(&format!("{path}{mark}perPage=100&page={page}")).await;
            let page = rows(&answer["data"]);
            if page.is_empty() {
                break;
            }
            found.extend_from_slice(page);
        }
        found
    }

    /// The captured sales of these business dates.
    async fn captured(&self, list: &str, (start, end): (Date, Date)) -> Vec<Value> {
        self.all(&format!("{list}?by=captured&start={start}&end={end}&{ZONE}"))
            .await
    }

    /// Início, Maquininhas, Financeiro, Recebíveis and the report of a company.
    pub async fn of_a_company_agree(&self, today: Date) {
        let home = self.get("/api/overview").await;
        for (figure, days) in compared_days(today) {
            let sales = self.captured("/api/transactions", days).await;
            assert_eq!(home[figure], count_and_gross(&sales), "{figure} {days:?}");
        }
        let month = (today.with_day(1).expect("a day"), today);
        let period = (today - TimeDelta::days(29), today);
        let sales = self.captured("/api/transactions", period).await;
        assert_totals(&home["period"]["totals"], &sales);
        for (rows_of, name, field) in [
            ("by_payment_type", "payment_type", "/payment_type"),
            ("by_brand", "card_brand", "/payment_method/card_brand"),
        ] {
            for row in rows(&home[rows_of]) {
                let of_row = filtered(&sales, field, &row[name]);
                let figure = json!({ "count": row["count"], "gross": row["gross"] });
                assert_eq!(figure, count_and_gross(&of_row), "{row}");
            }
        }
        self.machines_agree(month).await;
        self.report_agrees("/api/transactions/report", "/api/transactions", month)
            .await;
        self.balance_agrees(&home, today).await;
    }

    /// The machines page counts as the home page, with the sales of machines only.
    async fn machines_agree(&self, (start, end): (Date, Date)) {
        for start in [end, start] {
            let query = format!("solution=1&by=captured&start={start}&end={end}&{ZONE}");
            let totals = self.get(&format!("/api/transactions/totals?{query}")).await;
            let sales = self.all(&format!("/api/transactions?{query}")).await;
            assert_eq!(
                (&totals["count"], &totals["gross"]),
                (&json!(sales.len()), &json!(sum(&sales, "/amount"))),
                "{start}"
            );
        }
        let list = match &self.company {
            Some(company) => format!("/api/business/{company}/terminals"),
            None => return,
        };
        let machines = self.all(&list).await;
        assert_eq!(self.get(&list).await["meta"]["total"], json!(machines.len()));
    }

    /// The totals of a report are those of its periods and of each of its parts, and its sales are the list's.
    async fn report_agrees(&self, report: &str, list: &str, (start, end): (Date, Date)) {
        let report = self
            .get(&format!("{report}?group=day&start={start}&end={end}"))
            .await;
        let totals = &report["totals"];
        assert_totals(totals, &self.captured(list, (start, end)).await);
        let settled = self
            .all(&format!("{list}?by=settled&start={start}&end={end}&{ZONE}"))
            .await;
        assert_eq!(
            (&totals["settled"]["count"], &totals["settled"]["amount"]),
            (&json!(settled.len()), &json!(sum(&settled, "/counted/net")))
        );
        for status in ["canceled", "refunded"] {
            let reversed = self
                .all(&format!(
                    "{list}?by=reversed&status={status}&start={start}&end={end}&{ZONE}"
                ))
                .await;
            assert_eq!(
                (&totals[status]["count"], &totals[status]["gross"]),
                (&json!(reversed.len()), &json!(sum(&reversed, "/counted/gross"))),
                "{status}"
            );
        }
        for rows_of in [
            "periods",
            "by_solution",
            "by_payment_type",
            "by_brand",
            "by_installments",
        ] {
            for figure in ["/figures/count", "/figures/gross", "/figures/net"] {
                let of_total = totals.pointer(figure.trim_start_matches("/figures"));
                let of_rows = sum(rows(&report[rows_of]), figure);
                assert_eq!(Some(&json!(of_rows)), of_total, "{rows_of} {figure}");
            }
        }
    }

    /// Financeiro and Recebíveis.
    async fn balance_agrees(&self, home: &Value, today: Date) {
        let statement = self.all("/api/balance/history").await;
        assert_eq!(
            json!(sum(&statement, "/amount")),
            home["balance"]["available"],
            "the movements add up to the available balance"
        );
        let totals = self.get("/api/balance/history?totals=1").await;
        for account in ["available", "receivable", "in_transfer", "blocked"] {
            assert_eq!(totals["totals"][account], home["balance"][account], "{account}");
        }
        for (field, days) in [("next_7_days", 7), ("next_30_days", 30)] {
            let last = today + Days::new(days - 1);
            let schedule = self
                .get(&format!("/api/receivables?start={today}&end={last}"))
                .await;
            let days = rows(&schedule["data"]);
            let open = sum(days, "/expected") - sum(days, "/settled") - sum(days, "/accelerated");
            assert_eq!(home["to_receive"][field], json!(open), "{field}");
        }
        let transfers = self.all("/api/balance/transfers").await;
        let withdrawals: Vec<_> = transfers.iter().filter(|row| row["kind"] == 0).collect();
        for (shown, listed) in rows(&home["latest_withdrawals"]).iter().zip(withdrawals) {
            assert_eq!(
                (&shown["id"], &shown["amount"]),
                (&listed["id"], &listed["amount"])
            );
        }
    }

    /// The overview, the withdrawals and the reports of staff.
    pub async fn of_staff_agree(&self, today: Date) {
        let overview = self.get("/api/admin/overview").await;
        let month = (today.with_day(1).expect("a day"), today);
        for (figure, days) in [("volume_today", (today, today)), ("volume_month", month)] {
            let sales = self.captured("/api/admin/transactions", days).await;
            assert_eq!(overview[figure], count_and_gross(&sales), "{figure}");
        }
        let waiting = self.all("/api/admin/balance/transfers?status=0").await;
        let figure = &overview["withdrawals_waiting"];
        assert_eq!(
            (&figure["count"], &figure["amount"]),
            (&json!(waiting.len()), &json!(sum(&waiting, "/amount")))
        );
        let (start, end) = month;
        self.report_agrees(
            "/api/admin/transactions/billing",
            "/api/admin/transactions",
            month,
        )
        .await;
        let billing = self
            .get(&format!(
                "/api/admin/transactions/billing?start={start}&end={end}"
            ))
            .await;
        assert_eq!(overview["revenue_month"], billing["platform_fees"]["total"]);
        for list in ["billing/businesses", "total/sales", "financial/all"] {
            let path = format!("/api/admin/transactions/{list}?start={start}&end={end}");
            let companies = self.all(&path).await;
            for figure in ["count", "gross", "net"] {
                assert_eq!(
                    json!(sum(&companies, &format!("/figures/{figure}"))),
                    billing["totals"][figure],
                    "{list} {figure}"
                );
            }
        }
    }
}

/// The figures of the home page and the business dates that each covers.
fn compared_days(today: Date) -> [(&'static str, (Date, Date)); 4] {
    let yesterday = today - TimeDelta::days(1);
    let first = today.with_day(1).expect("a day");
    [
        ("sales_today", (today, today)),
        ("sales_yesterday", (yesterday, yesterday)),
        ("sales_month", (first, today)),
        (
            "sales_previous_month",
            (first - Months::new(1), today - Months::new(1)),
        ),
    ]
}

fn count_and_gross(sales: &[Value]) -> Value {
    json!({ "count": sales.len(), "gross": sum(sales, "/amount") })
}

#[track_caller]
fn assert_totals(totals: &Value, sales: &[Value]) {
    assert_eq!(
        (&totals["count"], &totals["gross"], &totals["net"]),
        (
            &json!(sales.len()),
            &json!(sum(sales, "/amount")),
            &json!(sum(sales, "/net_amount"))
        )
    );
}

fn filtered(sales: &[Value], field: &str, value: &Value) -> Vec<Value> {
    let with_value = sales.iter().filter(|sale| sale.pointer(field) == Some(value));
    with_value.cloned().collect()
}

fn sum(rows: &[Value], field: &str) -> i64 {
    rows.iter()
        .map(|row| {
            row.pointer(field)
                .and_then(Value::as_i64)
                .unwrap_or_else(|| panic!("no {field}: {row}"))
        })
        .sum()
}

fn rows(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}
