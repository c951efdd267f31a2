//! Totals of lists with statuses are the sums of their rows, also while sales change their statuses.

use ledger_domain::Cents;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::SaleStatus;
use projections::daily_sales::sale_totals;
use projections::sales::{DateBasis, SaleFilter, sale_list};
use projections::{Paging, TimeRange};

use super::ledger::{Ledger, business, card, day, minute};
use super::reversal_commands::ReversalCommands;

const ALL_ROWS: Paging = Paging {
    page: 1,
    per_page: 500,
};

async fn compare(ledger: &Ledger, filter: &SaleFilter) -> u64 {
    let client = ledger.client().await;
    let listed = sale_list(&**client, filter, ALL_ROWS).await.expect("a list");
    assert_eq!(usize::try_from(listed.total), Ok(listed.rows.len()), "{filter:?}");
    let totals = sale_totals(&**client, filter).await.expect("totals");
    let sum = |amounts: Vec<Cents>| Cents::total(amounts).expect("a sum");
    let captured = || listed.rows.iter().filter(|sale| sale.net.is_some());
    let gross = sum(listed.rows.iter().map(|sale| sale.amount).collect());
    let captured_gross = sum(captured().map(|sale| sale.amount).collect());
    let net = sum(captured().filter_map(|sale| sale.net).collect());
    assert_eq!(
        (totals.count, totals.gross, totals.fees, totals.net),
        (
            listed.total,
            gross,
            captured_gross.checked_sub(net).expect("fees"),
            net
        ),
        "{filter:?}"
    );
    listed.total
}

fn ranges() -> Vec<TimeRange> {
    let instants = |from: Instant, until: Instant| TimeRange {
        from: Some(from),
        until: Some(until),
    };
    vec![
        TimeRange::ALL,
        TimeRange::of_business_dates(Some(day(0)), Some(day(1))),
        TimeRange::of_business_dates(None, Some(day(400))),
        // Parts of dates at both ends, within one date, and without a whole date.
        instants(minute(5), minute(3 * 24 * 60)),
        instants(minute(5), minute(25)),
        instants(minute(5), minute(24 * 60)),
        instants(minute(5) - chrono::TimeDelta::days(70), minute(70 * 24 * 60)),
    ]
}

#[tokio::test]
async fn totals_by_status_are_the_sums_of_their_lists() {
    let (ledger, _following) = Ledger::with_reversed_sales().await;
    let open = card(ledger.new_sale());
    ledger.create_sale(business(4), open, minute(26)).await;
    ledger.until_caught_up().await;
    let mut statuses: Vec<Vec<SaleStatus>> = SaleStatus::ALL.iter().map(|status| vec![*status]).collect();
    statuses.extend([
        vec![SaleStatus::Refunded, SaleStatus::Reversed],
        vec![SaleStatus::Dispute, SaleStatus::ChargedBack],
        vec![SaleStatus::Pending, SaleStatus::Failed, SaleStatus::Canceled],
        vec![SaleStatus::Succeeded, SaleStatus::Canceled, SaleStatus::Created],
        SaleStatus::ALL.to_vec(),
    ]);
    let mut rows = 0;
    for business_id in [None, Some(business(1)), Some(business(4))] {
        for date_basis in [DateBasis::Occurred, DateBasis::Captured] {
            for statuses in &statuses {
                for range in ranges() {
                    let filter = SaleFilter {
                        business_id,
                        statuses: statuses.clone(),
                        date_basis,
                        range,
                        ..SaleFilter::default()
                    };
                    rows += compare(&ledger, &filter).await;
                }
            }
        }
    }
    assert_ne!(rows, 0);
}

#[tokio::test]
async fn a_sale_leaves_the_totals_of_a_status_with_each_change() {
    let ledger = Ledger::create().await;
    let following = ledger.follow();
    let shop = business(1);
    let commands = ReversalCommands {
        ledger: &ledger,
        shop,
    };
    let sale = card(ledger.new_sale());
    let id = sale.sale_id;
    ledger.create_sale(shop, sale.clone(), minute(0)).await;
    ledger.capture(shop, sale, minute(2 * 24 * 60)).await;
    let of_status = |status| SaleFilter {
        business_id: None,
        statuses: vec![status],
        ..SaleFilter::default()
    };
    let counts = async || {
        ledger.until_caught_up().await;
        let mut counts = vec![];
        for status in [
            SaleStatus::Succeeded,
            SaleStatus::Dispute,
            SaleStatus::ChargedBack,
        ] {
            counts.push(compare(&ledger, &of_status(status)).await);
        }
        counts
    };
    let rows = async || {
        let client = ledger.client().await;
        let sql =
            "SELECT (SELECT count(*) FROM daily_outcomes), (SELECT count(*) FROM platform_outcomes_daily),
                          (SELECT count(*) FROM platform_outcomes_monthly)";
        let row = client.query_one(sql, &[]).await.expect("counts");
        [row.get::<_, i64>(0), row.get(1), row.get(2)]
    };
    let later = |minutes: i64| minute(3 * 24 * 60 + minutes);
    assert_eq!((counts().await, rows().await), (vec![1, 0, 0], [0; 3]));
    commands.open(id, "dp-1", later(0)).await;
    assert_eq!((counts().await, rows().await), (vec![0, 1, 0], [1; 3]));
    commands.win(id, "dp-1", later(1)).await;
    assert_eq!((counts().await, rows().await), (vec![1, 0, 0], [0; 3]));
    commands.open(id, "dp-2", later(2)).await;
    commands.lose(id, "dp-2", later(3)).await;
    assert_eq!((counts().await, rows().await), (vec![0, 0, 1], [1; 3]));
    following.stop().await;
}
