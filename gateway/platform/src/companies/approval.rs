//! Whether staff have approved a company. Only an approved company starts sales and withdraws. Sales of other companies
//! that an acquirer has captured are recorded, and their money is held.

use ledger_domain::BusinessId;
use ledger_domain::business::CompanyStatus;
use ledger_rows::{FromRow, fetch, params, row};
use tokio_postgres::{Error, GenericClient};

ledger_domain::words! {
    pub enum Approval {
        /// Not decided on yet. The state of every new company (the column's default).
        Pending = "pending" => "Não definido",
        Enabled = "enabled" => "Aprovado",
        Denied = "denied" => "Negado",
        Deleted = "deleted" => "Deletado",
    }
}

impl Approval {
    pub const fn company_status(self) -> CompanyStatus {
        match self {
            Self::Pending => CompanyStatus::Pending,
            Self::Enabled => CompanyStatus::Active,
            Self::Denied => CompanyStatus::Denied,
            Self::Deleted => CompanyStatus::Deleted,
        }
    }
}

row! {
    struct ApprovedCompany {
        id: BusinessId,
    }
}

/// The approved companies among these.
pub async fn companies_approved(
    client: &impl GenericClient,
    companies: &[BusinessId],
) -> Result<Vec<BusinessId>, Error> {
    if companies.is_empty() {
        return Ok(vec![]);
    }
    let sql = format!(
        "SELECT {} FROM business WHERE id = ANY ($1) AND approval = 'enabled' ORDER BY id",
        ApprovedCompany::COLUMNS
    );
    let approved: Vec<ApprovedCompany> = fetch(client, &sql, params![companies]).await?;
    Ok(approved.into_iter().map(|company| company.id).collect())
}
