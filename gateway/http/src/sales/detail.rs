//! Builds the full sale for both panels.

use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::companies::companies_named;
use gateway_platform::effects::refunds;
use ledger_domain::BusinessId;
use projections::sale::{self};

use super::bodies::detail::{AdminSaleDetail, SaleDetail};
use super::bodies::list::SaleBusiness;
use super::explanation::fee_charges;
use crate::edge::Db;
use crate::problem::Result;
use crate::shared::author::Authors;

/// Adds to a sale data from outside the ledger (the state of the refund, the names of users) and the lines of the fees.
pub async fn sale_detail(
    db: &Db,
    viewer: Audience,
    sale: sale::SaleDetail,
    with_receivables: bool,
) -> Result<SaleDetail> {
    let refund = refunds::of_sale(&**db, sale.row.sale_id).await?;
    let fee_lines = fee_charges(db, &sale.row).await?;
    let user_ids: Vec<_> = sale
        .events
        .iter()
        .filter_map(|event| event.actor.person())
        .collect();
    let authors = Authors::new(viewer, user_names(&**db, viewer, &user_ids).await?);
    Ok(SaleDetail::of(
        sale,
        refund,
        fee_lines,
        with_receivables,
        &authors,
    ))
}

/// One sale as a panel shows it. Staff also see the company.
pub trait SaleAnswer: Sized {
    fn read(db: &Db, business_id: BusinessId, sale: SaleDetail) -> impl Future<Output = Result<Self>> + Send;
}

impl SaleAnswer for SaleDetail {
    async fn read(_: &Db, _: BusinessId, sale: SaleDetail) -> Result<Self> {
        Ok(sale)
    }
}

impl SaleAnswer for AdminSaleDetail {
    async fn read(db: &Db, business_id: BusinessId, sale: SaleDetail) -> Result<Self> {
        let named = companies_named(&**db, &[business_id]).await?;
        let business = SaleBusiness::of(business_id, named.get(&business_id));
        Ok(Self { sale, business })
    }
}
