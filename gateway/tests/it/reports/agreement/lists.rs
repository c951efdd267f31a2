//! The totals of a list of sales are the sums of its pages, and the figures of the reports.

use serde_json::Value;

use super::{END, START};
use crate::reports::get;
use crate::support::Client;
use crate::support::movements::rows;

/// The parameters that list the sales of each figure, and the figure's paths of count, gross and net. Disputes and
/// chargebacks have one amount. With `by=reversed`, the status `succeeded` lists won disputes.
const LIST_OF_FIGURE: [(&str, [&str; 3]); 8] = [
    ("by=captured", ["/count", "/gross", "/net"]),
    (
        "by=reversed&status=canceled",
        ["/canceled/count", "/canceled/gross", "/canceled/net"],
    ),
    (
        "by=reversed&status=refunded",
        ["/refunded/count", "/refunded/gross", "/refunded/net"],
    ),
    (
        "by=reversed&status=reversed",
        ["/reversed/count", "/reversed/gross", "/reversed/net"],
    ),
    (
        "by=reversed&status=dispute",
        ["/disputed/count", "/disputed/amount", "/disputed/amount"],
    ),
    (
        "by=reversed&status=succeeded",
        [
            "/disputes_won/count",
            "/disputes_won/amount",
            "/disputes_won/amount",
        ],
    ),
    (
        "by=reversed&status=charged_back",
        [
            "/charged_back/count",
            "/charged_back/amount",
            "/charged_back/amount",
        ],
    ),
    (
        "by=settled",
        ["/settled/count", "/settled/gross", "/settled/amount"],
    ),
];

/// Compares each figure with the totals of its list, and with the sum of the list's pages.
pub(super) async fn check_lists(client: &Client, list_path: &str, filter: &str, totals: &Value) {
    for (by, paths) in LIST_OF_FIGURE {
        let query = format!("{by}&start={START}&end={END}&time_zone=America/Sao_Paulo{filter}");
        let figure = paths.map(|path| totals.pointer(path).and_then(Value::as_i64).expect("a figure"));
        let sums = get(client, &format!("{list_path}/totals?{query}")).await;
        let sums = ["count", "gross", "net"].map(|name| sums[name].as_i64().expect("a sum"));
        assert_eq!(sums, figure, "{list_path}/totals?{query}");
        let (mut listed, mut next) = ([0; 3], String::new());
        loop {
            let page = get(client, &format!("{list_path}?{query}&perPage=7{next}")).await;
            for row in rows(&page) {
                let number = |value: &Value| value.as_i64().expect("a number");
                let [gross, net] = match &row["counted"] {
                    Value::Null => [number(&row["amount"]), number(&row["net_amount"])],
                    counted => [number(&counted["gross"]), number(&counted["net"])],
                };
                listed = [listed[0] + 1, listed[1] + gross, listed[2] + net];
            }
            let Some(cursor) = page["meta"]["next"].as_str() else {
                break;
            };
            next = format!("&next={cursor}");
        }
        assert_eq!(listed, figure, "{list_path}?{query}");
    }
}

/// The status `returned` lists refunded and reversed sales together.
pub(super) async fn check_returned(client: &Client, list_path: &str, totals: &Value) {
    let query = format!("by=reversed&status=returned&start={START}&end={END}&time_zone=America/Sao_Paulo");
    let sums = get(client, &format!("{list_path}/totals?{query}")).await;
    for name in ["count", "gross", "net"] {
        let of = |kind: &str| totals[kind][name].as_i64().expect("a figure");
        assert_eq!(
            sums[name],
            of("refunded") + of("reversed"),
            "{list_path}/totals?{query}"
        );
    }
}

/// Compares the totals of each status with the sum of the list's pages.
pub(super) async fn check_statuses(client: &Client, list_path: &str, filter: &str) {
    let mut listed_sales = 0;
    for status in [
        "succeeded",
        "canceled",
        "reversed",
        "refunded",
        "dispute",
        "charged_back",
        "failed",
        "pending",
    ] {
        for by in ["", "&by=captured"] {
            for period in [
                "",
                "&start=2026-09-20&end=2026-11-10",
                "&start=2026-10-01&end=2026-11-21&time_zone=UTC",
            ] {
                let query = format!("status={status}{by}{period}{filter}");
                let totals = get(client, &format!("{list_path}/totals?{query}")).await;
                let (mut listed, mut next) = ([0; 3], String::new());
                loop {
                    let page = get(client, &format!("{list_path}?{query}&perPage=50{next}")).await;
                    for row in rows(&page) {
                        let net = row["net_amount"].as_i64().unwrap_or(0);
                        listed = [
                            listed[0] + 1,
                            listed[1] + row["amount"].as_i64().expect("cents"),
                            listed[2] + net,
                        ];
                    }
                    let Some(cursor) = page["meta"]["next"].as_str() else {
                        break;
                    };
                    next = format!("&next={cursor}");
                }
                let sums = ["count", "gross", "net"].map(|name| totals[name].as_i64().expect("a sum"));
                assert_eq!(sums, listed, "{list_path}?{query}");
                listed_sales += listed[0];
            }
        }
    }
    assert_ne!(listed_sales, 0, "{list_path} {filter}");
}
