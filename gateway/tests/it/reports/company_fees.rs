//! The platform fees by company, for staff.

use super::closing::{get, world};

#[tokio::test]
async fn the_fees_of_companies_add_up_to_the_total_of_each_day_and_month() {
    let world = world().await;
    let days = (1..=30).map(|day| format!("start=2026-11-{day:02}&end=2026-11-{day:02}&group=day"));
    let months = [("09", 30), ("10", 31), ("11", 30)]
        .map(|(month, last)| format!("start=2026-{month}-01&end=2026-{month}-{last}&group=month"));
    let (mut with_fees_only, mut totals) = (0, 0);
    for period in days.chain(months) {
        let path = format!("/api/admin/transactions/billing/businesses?{period}");
        let report = get(&world.staff, &path).await;
        let rows = report["data"].as_array().expect("companies");
        assert_eq!(report["meta"]["total"], rows.len(), "{period}");
        let fees = rows
            .iter()
            .map(|row| row["platform_fees"]["total"].as_i64().expect("cents"));
        let total = report["platform_fees"]["total"].as_i64().expect("cents");
        assert_eq!(fees.sum::<i64>(), total, "{period}: {report}");
        totals += total;
        let idle = |row: &&serde_json::Value| {
            row["figures"]["count"] == 0 && row["figures"]["settled"]["count"] == 0
        };
        with_fees_only += rows.iter().filter(idle).count();
    }
    assert_ne!(totals, 0);
    assert_ne!(
        with_fees_only, 0,
        "a day has a company with a rental or a withdrawal only"
    );
}
