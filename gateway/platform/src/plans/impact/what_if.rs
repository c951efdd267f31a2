//! A company's last month under another plan.

use ledger_domain::BusinessId;
use ledger_domain::calendar::Date;
use ledger_domain::fees::PlanTerms;
use projections::repricing::{Period, charged_sales};
use tokio_postgres::GenericClient;

use super::page::Page;
use super::{ImpactTotals, month_bounds};

const ROWS_PER_PAGE: i64 = 1_000;

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct WhatIf<'a> {
    pub company: BusinessId,
    pub month: Date,
    /// The terms in force.
    pub current: &'a PlanTerms,
    pub other: &'a PlanTerms,
}

/// Reads in pages, so that memory does not grow with the month.
pub async fn what_if(
    client: &impl GenericClient,
    question: WhatIf<'_>,
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
        let sales = charged_sales(client, period, solution, page.last, ROWS_PER_PAGE).await?;
        for sale in &sales {
            page.add_sale(Some(question.current), question.other, sale);
        }
        if page.rows < ROWS_PER_PAGE {
            return Ok(page.totals);
        }
    }
}
