//! The companies of a page, ranked by sums in memory, are those that the database ranks.

use ledger_domain::BusinessId;
use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;
use projections::daily_sales::{
    FigureFilter, FigureSort, Figures, ListedCompanies, Rankings, Within, figures_by_company,
};
use projections::{Page, Paging, ReadModelGroup, SortOrder};

use super::ledger::{Ledger, business, card, day, minute, monday};

type Companies = Page<(BusinessId, Figures)>;

/// A ledger and the rankings that one process keeps of it.
struct Ranked {
    ledger: Ledger,
    rankings: Rankings,
}

impl Ranked {
    async fn list(
        &self,
        filter: &FigureFilter,
        dates: (Date, Date),
        listed: ListedCompanies,
        sorting: (FigureSort, SortOrder),
        paging: Option<Paging>,
    ) -> Companies {
        let client = self.ledger.client().await;
        let within = Within::Months(dates);
        figures_by_company(&**client, &self.rankings, filter, within, listed, sorting, paging)
            .await
            .expect("companies")
    }

    /// Compares all pages of this size with the list that the database sorts as a whole.
    async fn compare(
        &self,
        filter: &FigureFilter,
        dates: (Date, Date),
        sorting: (FigureSort, SortOrder),
        per_page: u32,
    ) -> Vec<BusinessId> {
        let mut companies = vec![];
        for listed in [ListedCompanies::WithFiguresOrFees, ListedCompanies::WithFigures] {
            if listed == ListedCompanies::WithFiguresOrFees && filter.restricts_sales() {
                continue;
            }
            let all = self.list(filter, dates, listed, sorting, None).await;
            companies.clear();
            for page in 1.. {
                let paging = Some(Paging { page, per_page });
                let page = self.list(filter, dates, listed, sorting, paging).await;
                assert_eq!(page.total, all.total, "{dates:?} {sorting:?} {listed:?}");
                if page.rows.is_empty() {
                    break;
                }
                companies.extend(page.rows);
            }
            assert_eq!(companies, all.rows, "{dates:?} {sorting:?} {listed:?}");
        }
        companies.into_iter().map(|(company, _)| company).collect()
    }

    async fn by_gross(&self, dates: (Date, Date)) -> Vec<BusinessId> {
        let sorting = (FigureSort::Gross, SortOrder::Desc);
        self.compare(&FigureFilter::default(), dates, sorting, 2).await
    }

    /// The same without a comparison.
    async fn ranked_by_gross(&self, dates: (Date, Date)) -> Vec<BusinessId> {
        let (sorting, listed) = ((FigureSort::Gross, SortOrder::Desc), ListedCompanies::WithFigures);
        let paging = Some(Paging {
            page: 1,
            per_page: 50,
        });
        let page = self
            .list(&FigureFilter::default(), dates, listed, sorting, paging)
            .await;
        page.rows.into_iter().map(|(company, _)| company).collect()
    }
}

fn before(days: u64) -> Date {
    monday() - chrono::Days::new(days)
}

#[tokio::test]
async fn pages_are_those_of_the_sorted_list_for_every_period_sort_order_and_filter() {
    let (ledger, _following) = Ledger::with_reversed_sales().await;
    for number in 5..12 {
        for sale in 0..number % 3 + 1 {
            let at = minute(i64::try_from(number * 500 + sale).expect("minutes"));
            ledger
                .capture(business(number), card(ledger.new_sale()), at)
                .await;
        }
    }
    ledger.until_caught_up().await;
    let ranked = Ranked {
        ledger,
        rankings: Rankings::default(),
    };
    let credit = FigureFilter {
        payment_type: Some(PaymentType::Credit),
        ..FigureFilter::default()
    };
    let periods = [
        (monday(), day(1)),
        (before(30), day(60)),
        (before(22), day(400)),
        (before(400), before(300)),
    ];
    let mut most = 0;
    for dates in periods {
        for sort in FigureSort::ALL {
            for order in [SortOrder::Asc, SortOrder::Desc] {
                for filter in [FigureFilter::default(), credit.clone()] {
                    let companies = ranked.compare(&filter, dates, (*sort, order), 4).await;
                    most = most.max(companies.len());
                }
            }
        }
    }
    assert_eq!(most, 10);
}

#[tokio::test]
async fn a_rank_changes_with_the_events_of_past_days() {
    let ledger = Ledger::create().await;
    let _following = ledger.follow();
    let (first, second, third) = (business(1), business(2), business(3));
    let week = 7 * 24 * 60;
    for at in [minute(0), minute(week), minute(5 * week)] {
        ledger.capture(first, card(ledger.new_sale()), at).await;
        ledger.capture(first, card(ledger.new_sale()), at).await;
        ledger.capture(second, card(ledger.new_sale()), at).await;
    }
    ledger.until_caught_up().await;
    let ranked = Ranked {
        ledger,
        rankings: Rankings::default(),
    };
    let periods = [
        (monday(), day(3)),
        (monday(), day(36)),
        (before(22), day(60)),
        (day(8), day(60)),
    ];
    for dates in periods {
        assert_eq!(ranked.by_gross(dates).await, [first, second]);
    }
    // Reports arrive late: the day and the month of the first sales are over.
    for number in 0..4 {
        let ledger = &ranked.ledger;
        ledger
            .capture(second, card(ledger.new_sale()), minute(number))
            .await;
    }
    ranked
        .ledger
        .capture(third, card(ranked.ledger.new_sale()), minute(9))
        .await;
    ranked.ledger.until_caught_up().await;
    for dates in &periods[..3] {
        assert_eq!(ranked.by_gross(*dates).await, [second, first, third]);
    }
    assert_eq!(ranked.by_gross(periods[3]).await, [first, second]);
}

#[tokio::test]
async fn a_day_without_changes_is_not_read_again_and_a_rebuilt_one_is() {
    let ledger = Ledger::create().await;
    let following = ledger.follow();
    ledger
        .capture(business(1), card(ledger.new_sale()), minute(0))
        .await;
    for _ in 0..2 {
        ledger
            .capture(business(2), card(ledger.new_sale()), minute(1))
            .await;
    }
    ledger.until_caught_up().await;
    following.stop().await;
    let ranked = Ranked {
        ledger,
        rankings: Rankings::default(),
    };
    let periods = [(monday(), day(1)), (before(22), day(60))];
    let honest = [business(2), business(1)];
    for dates in periods {
        assert_eq!(ranked.ranked_by_gross(dates).await, honest);
    }
    // No follower does this: the sums over all companies stay.
    for table in ["daily_sales", "monthly_sales"] {
        let first = business(1).uuid();
        ranked
            .ledger
            .execute(&format!(
                "UPDATE {table} SET gross = gross * 9, net = net * 9, percentage_fee = percentage_fee * 9,
                        flat_fee = flat_fee * 9, percentage_rate = percentage_rate * 9, flat_rate = flat_rate * 9
                  WHERE business_id = '{first}'"
            ))
            .await;
    }
    for dates in periods {
        assert_eq!(ranked.ranked_by_gross(dates).await, honest);
    }
    let other_process = Ranked {
        rankings: Rankings::default(),
        ..ranked
    };
    for dates in periods {
        assert_eq!(
            other_process.ranked_by_gross(dates).await,
            [business(1), business(2)]
        );
    }
    projections::rebuild(&other_process.ledger.pool, &[ReadModelGroup::Sales], |_| {})
        .await
        .expect("a rebuild");
    for dates in periods {
        assert_eq!(other_process.by_gross(dates).await, honest);
    }
}

#[tokio::test]
async fn many_companies_are_ranked_by_name_and_those_without_a_name_are_last() {
    let ledger = Ledger::create().await;
    let following = ledger.follow();
    ledger
        .capture(business(1), card(ledger.new_sale()), minute(0))
        .await;
    ledger.until_caught_up().await;
    following.stop().await;
    // Of 3,000 companies with names, two thirds have figures, and so have ten that no longer have a name.
    ledger
        .execute(
            "INSERT INTO receiving_plan (id, description, flat_rate)
             VALUES ('00000000-0000-0000-0000-000000000009', 'Saque', 0);
             INSERT INTO business (id, name, document, type, receiving_plan_id)
             SELECT md5(n::text)::uuid, 'Loja ' || md5('name' || n / 2), lpad(n::text, 14, '0'), 'PJ',
                    '00000000-0000-0000-0000-000000000009'
               FROM generate_series(1, 3000) AS n;
             INSERT INTO daily_sales
             SELECT copy.*
               FROM daily_sales AS t, generate_series(1, 3010) AS n,
                    jsonb_populate_record(t, jsonb_build_object('business_id', md5(n::text)::uuid)) AS copy
              WHERE n % 3 > 0 OR n > 3000;
             UPDATE platform_sales_daily SET sales = sales + 2000",
        )
        .await;
    let ranked = Ranked {
        ledger,
        rankings: Rankings::default(),
    };
    for order in [SortOrder::Asc, SortOrder::Desc] {
        let filter = FigureFilter::default();
        let dates = (monday(), day(1));
        let companies = ranked
            .compare(&filter, dates, (FigureSort::Name, order), 400)
            .await;
        assert_eq!(companies.len(), 2_011);
        let unnamed = &companies[2_000..];
        assert!(unnamed.contains(&business(1)) && unnamed.is_sorted());
    }
}
