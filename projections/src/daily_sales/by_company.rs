//! The figures of companies, ranked by one of them.

use std::collections::HashMap;

use ledger_domain::BusinessId;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::Figures;
use super::figures::sums;
use super::filter::{FigureFilter, FigureSort, Within};
use super::rankings::{Order, Ranked, Rankings};
use super::selection::Selection;
use crate::Error;
use crate::page::{Page, Paging, SortOrder};

/// The companies that a report lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedCompanies {
    /// Those with figures of sales.
    WithFigures,
    /// Also those that paid only fees of withdrawals or rentals. Not allowed by hour or with a filter of sales, because
    /// such fees are not kept by hour and belong to no sale.
    WithFiguresOrFees,
}

impl ListedCompanies {
    fn select(self, filter: &FigureFilter, within: Within) -> Selection {
        let selection = Selection::by_company(filter, within);
        match self {
            Self::WithFigures => selection,
            Self::WithFiguresOrFees => selection.with_fee_payers(),
        }
    }
}

/// One page of the companies that have rows in the period. Without `paging`, all of them.
///
/// The companies of a page are found by the sum of the sorted column alone, in memory if the report is over all
/// companies. The other sums are read for the companies of the page only, because each further sum over all companies
/// costs nearly as much as the first.
pub async fn figures_by_company(
    client: &impl GenericClient,
    rankings: &Rankings,
    filter: &FigureFilter,
    within: Within,
    listed: ListedCompanies,
    (sort, order): (FigureSort, SortOrder),
    paging: Option<Paging>,
) -> Result<Page<(BusinessId, Figures)>, Error> {
    let Some(paging) = paging else {
        let companies = sums_by_company(client, filter, within, listed, (sort, order)).await?;
        let found = i64::try_from(companies.len()).unwrap_or(i64::MAX);
        return Ok(Page::numbered(companies, found));
    };
    let (limit, offset) = paging.within_total();
    let ranked = if Rankings::has(filter, within) {
        let page = Order {
            sort,
            order,
            offset: usize::try_from(offset).unwrap_or(usize::MAX),
            limit: usize::try_from(limit).unwrap_or(0),
        };
        let or_fees = listed == ListedCompanies::WithFiguresOrFees;
        rankings.rank(client, filter, within, or_fees, page).await?
    } else {
        let selection = listed.select(filter, within).without_empty_days(client).await?;
        rank_by_rows(client, &selection, (sort, order), (limit, offset)).await?
    };
    let of_page = FigureFilter {
        businesses: Some(ranked.companies.clone()),
        ..filter.clone()
    };
    let sums = sums_by_company(client, &of_page, within, listed, (sort, order)).await?;
    let sums: HashMap<_, _> = sums.into_iter().collect();
    // A company that only paid other fees, and got them back, may have no sums.
    let figures = |company: BusinessId| (company, sums.get(&company).copied().unwrap_or_default());
    let companies = ranked.companies.into_iter().map(figures).collect();
    let found = i64::try_from(ranked.found).unwrap_or(i64::MAX);
    Ok(Page::numbered(companies, found))
}

/// Ranks the companies by adding up the selected rows in the database.
async fn rank_by_rows(
    client: &impl GenericClient,
    selection: &Selection,
    (sort, order): (FigureSort, SortOrder),
    (limit, offset): (i64, i64),
) -> Result<Ranked, Error> {
    let mut parameters = selection.parameters();
    let counted = format!(
        "{} AS counted GROUP BY business_id {}",
        selection.rows("business_id, "),
        selection.having()
    );
    let filter_parameters = parameters.len();
    parameters.extend([(&limit as &(dyn ToSql + Sync), Type::INT8), (&offset, Type::INT8)]);
    // The same statement counts the companies, because reading their rows is nearly all of its cost.
    let sql = format!(
        "SELECT business_id, count(*) OVER () FROM {counted} ORDER BY {} LIMIT ${} OFFSET ${}",
        sort.sql(order),
        filter_parameters + 1,
        filter_parameters + 2,
    );
    let rows = client.query_typed(&sql, &parameters).await?;
    let found = match rows.first() {
        Some(row) => row.get(1),
        // A page without companies has no row with the count.
        None => count_companies(client, &counted, &selection.parameters()).await?,
    };
    Ok(Ranked {
        companies: rows.iter().map(|row| BusinessId::from_uuid(row.get(0))).collect(),
        found: usize::try_from(found).unwrap_or(0),
    })
}

/// The sums of all companies of the filter that have rows in the period.
async fn sums_by_company(
    client: &impl GenericClient,
    filter: &FigureFilter,
    within: Within,
    listed: ListedCompanies,
    (sort, order): (FigureSort, SortOrder),
) -> Result<Vec<(BusinessId, Figures)>, Error> {
    let selection = listed.select(filter, within);
    let sql = format!(
        "SELECT business_id, {} FROM {} AS counted GROUP BY business_id {} ORDER BY {}",
        sums(),
        selection.rows("business_id, "),
        selection.having(),
        sort.sql(order),
    );
    let rows = client.query_typed(&sql, &selection.parameters()).await?;
    let company = |row: &Row| (BusinessId::from_uuid(row.get(0)), Figures::from_row(row, 1));
    Ok(rows.iter().map(company).collect())
}

async fn count_companies(
    client: &impl GenericClient,
    counted: &str,
    parameters: &[(&(dyn ToSql + Sync), Type)],
) -> Result<i64, Error> {
    let sql = format!("SELECT count(*) FROM (SELECT business_id FROM {counted}) AS companies");
    Ok(client.query_typed_one(&sql, parameters).await?.get(0))
}
