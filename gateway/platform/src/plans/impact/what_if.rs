//! A company's month under another plan.

use deadpool_postgres::Pool;
use ledger_domain::BusinessId;
use ledger_domain::calendar::Date;
use ledger_domain::fees::PlanTerms;
use projections::repricing::{Period, charged_sales};

use super::page::Page;
use super::{ImpactTotals, month_bounds};

/// The question: the fees of the company's month under its terms in force and under other terms.
#[derive(Debug, Clone, Copy)]
pub struct WhatIf<'a> {
    pub company: BusinessId,
    pub month: Date,
    /// The terms in force.
    pub current: &'a PlanTerms,
    pub other: &'a PlanTerms,
}

/// Reads in pages, so that memory does not grow with the month. Each page takes a connection and returns it, so that
/// other requests can use the connection between two pages.
pub async fn what_if(
    pool: &Pool,
    question: WhatIf<'_>,
    rows_per_page: i64,
) -> Result<ImpactTotals, projections::Error> {
    let (from, until) = month_bounds(question.month);
    let period = Period {
        companies: &[question.company],
        from,
        until,
    };
    let mut page = Page::default();
    loop {
        page.rows = 0;
        let solution = question.current.solution;
        let client = pool.get().await?;
        let sales = charged_sales(&**client, period, solution, page.last, rows_per_page).await?;
        drop(client);
        for sale in &sales {
            page.add_sale(Some(question.current), question.other, sale);
        }
        if page.rows < rows_per_page {
            return Ok(page.totals);
        }
    }
}
