//! One sale, in both panels. Staff also see its company.

use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::companies::companies_by_id;
use gateway_platform::effects::refunds;
use gateway_platform::orders::brand_source;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::log;
use projections::sale_from_log;
use projections::sales::{self, sale_fetch};

use super::bodies::detail::{AdminSaleDetail, SaleDetail, SaleSeller};
use super::bodies::list::SaleBusiness;
use super::explanation::fee_charges;
use super::query::WithReceivables;
use crate::edge::{CurrentBusiness, Db, Id, Json, Query};
use crate::problem::{Problem, Result};
use crate::shared::author::Authors;

/// Get a sale
///
/// With `receivables=1`, includes the schedule of installments.
#[utoipa::path(get, path = "/transactions/{id}", tag = "sales", responses((status = 200, body = SaleDetail)))]
pub(crate) async fn get_sale(
    business: CurrentBusiness,
    Id(id): Id<SaleId>,
    Query(with_receivables): Query<WithReceivables>,
    db: Db,
) -> Result<Json<SaleDetail>> {
    read(&db, Some(business.id), id, with_receivables).await
}

/// Get a sale of any company
///
/// With `receivables=1`, includes the schedule of installments.
#[utoipa::path(
    get, path = "/admin/transactions/{id}", tag = "sales",
    responses((status = 200, body = AdminSaleDetail))
)]
pub(crate) async fn get_any_sale(
    Id(id): Id<SaleId>,
    Query(with_receivables): Query<WithReceivables>,
    db: Db,
) -> Result<Json<AdminSaleDetail>> {
    read(&db, None, id, with_receivables).await
}

async fn read<Answer: SaleAnswer>(
    db: &Db,
    company: Option<BusinessId>,
    id: SaleId,
    with_receivables: WithReceivables,
) -> Result<Json<Answer>> {
    let sale = recorded_sale(db, company, id).await?;
    let business_id = sale.row.business_id;
    let sale = sale_detail(db, Answer::AUDIENCE, sale, with_receivables).await?;
    Answer::read(db, business_id, sale).await.map(Json)
}

/// The sale, from the log if it is recorded and the read model does not have it yet. If a company is given, a sale of
/// another company is not found.
pub(crate) async fn recorded_sale(
    db: &Db,
    company: Option<BusinessId>,
    id: SaleId,
) -> Result<sales::SaleDetail> {
    if let Some(sale) = sale_fetch(&**db, company, id).await? {
        return Ok(sale);
    }
    let (_, found) = log::sale_states(&**db, &[id])
        .await?
        .pop()
        .ok_or_else(Problem::not_found)?;
    if company.is_some_and(|company| company != found.business_id) {
        return Err(Problem::not_found());
    }
    let sale = sale_from_log(&**db, found.business_id, id).await?;
    sale.ok_or_else(Problem::unavailable)
}

/// Adds to a sale data from outside the ledger (the states of the refunds, the names of users) and the lines of the fees.
pub(crate) async fn sale_detail(
    db: &Db,
    viewer: Audience,
    sale: sales::SaleDetail,
    WithReceivables(with_receivables): WithReceivables,
) -> Result<SaleDetail> {
    let refunds = refunds::of_sale(&**db, sale.row.sale_id).await?;
    let fee_lines = fee_charges(db, &sale.row).await?;
    let user_ids: Vec<_> = sale
        .events
        .iter()
        .filter_map(|event| event.actor.user_id())
        .collect();
    let authors = Authors::new(viewer, user_names(&**db, viewer, &user_ids).await?);
    Ok(SaleDetail::of(
        sale,
        refunds,
        fee_lines,
        with_receivables,
        &authors,
    ))
}

/// One sale as a panel shows it. Staff also see the company.
pub trait SaleAnswer: Sized {
    const AUDIENCE: Audience;

    fn read(db: &Db, business_id: BusinessId, sale: SaleDetail) -> impl Future<Output = Result<Self>> + Send;
}

impl SaleAnswer for SaleDetail {
    const AUDIENCE: Audience = Audience::Seller;

    async fn read(_: &Db, _: BusinessId, sale: SaleDetail) -> Result<Self> {
        Ok(sale)
    }
}

impl SaleAnswer for AdminSaleDetail {
    const AUDIENCE: Audience = Audience::Admin;

    async fn read(db: &Db, business_id: BusinessId, sale: SaleDetail) -> Result<Self> {
        let named = companies_by_id(&**db, &[business_id]).await?;
        let company = named.get(&business_id);
        let business = SaleSeller {
            named: SaleBusiness::of(business_id, company),
            document: company.map(|company| company.document.clone()),
        };
        let card_brand_source = match sale.row.id.parse() {
            Ok(sale_id) => brand_source(&**db, sale_id).await?,
            Err(_) => None,
        };
        Ok(Self {
            sale,
            business,
            card_brand_source,
        })
    }
}
