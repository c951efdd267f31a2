//! The platform fees by company, for staff.

use super::closing::closed_months;
use super::get;

#[tokio::test]
async fn the_fees_of_companies_add_up_to_the_total_of_each_day_and_month() {
    let fixture = closed_months().await;
    let days = (1..=30).map(|day| format!("start=2026-11-{day:02}&end=2026-11-{day:02}&group=day"));
    let months = [("09", 30), ("10", 31), ("11", 30)]
        .map(|(month, last)| format!("start=2026-{month}-01&end=2026-{month}-{last}&group=month"));
    let (mut with_fees_only, mut all_fees) = (0, 0);
    for period in days.chain(months) {
        let path = format!("/api/admin/transactions/billing/businesses?{period}");
        let report = get(&fixture.staff, &path).await;
        let rows = report["data"].as_array().expect("companies");
        assert_eq!(report["meta"]["total"], rows.len(), "{period}");
        let fees = rows
            .iter()
            .map(|row| row["platform_fees"]["total"].as_i64().expect("cents"));
        let total = report["platform_fees"]["total"].as_i64().expect("cents");
        assert_eq!(fees.sum::<i64>(), total, "{period}: {report}");
        all_fees += total;
        let has_fees_only = |row: &&serde_json::Value| {
            let figures = &row["figures"];
            figures["count"] == 0 && figures["settled"]["count"] == 0 && row["platform_fees"]["total"] != 0
        };
        with_fees_only += rows.iter().filter(has_fees_only).count();
    }
    assert_ne!(all_fees, 0);
    assert_ne!(
        with_fees_only, 0,
        "on some day a company has a rental or a withdrawal, and no sales"
    );
}
