//! The figures of companies, ranked by one of them.

use ledger_domain::BusinessId;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::Figures;
use super::figures::sums;
use super::filter::{FigureFilter, FigureSort, Within};
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
/// The companies of a page are found by the sum of the sorted column alone. The other sums are read for the companies
/// of the page only, because each further sum over all companies costs nearly as much as the first.
pub async fn figures_by_company(
    client: &impl GenericClient,
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
    let selection = listed.select(filter, within).without_empty_days(client).await?;
    let (limit, offset) = paging.within_total();
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
        "SELECT business_id, count(*) OVER () FROM {counted} ORDER BY {} {}, business_id
          LIMIT ${} OFFSET ${}",
        sort.sql(),
        order.sql(),
        filter_parameters + 1,
        filter_parameters + 2,
    );
    let ranked = client.query_typed(&sql, &parameters).await?;
    let found = match ranked.first() {
        Some(row) => row.get(1),
        // A page without companies has no row with the count.
        None => count_companies(client, &counted, &selection.parameters()).await?,
    };
    let ids: Vec<_> = ranked
        .iter()
        .map(|row| BusinessId::from_uuid(row.get(0)))
        .collect();
    let of_page = FigureFilter {
        businesses: Some(ids),
        ..filter.clone()
    };
    let companies = sums_by_company(client, &of_page, within, listed, (sort, order)).await?;
    Ok(Page::numbered(companies, found))
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
        "SELECT business_id, {} FROM {} AS counted GROUP BY business_id {} ORDER BY {} {}, business_id",
        sums(),
        selection.rows("business_id, "),
        selection.having(),
        sort.sql(),
        order.sql(),
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
