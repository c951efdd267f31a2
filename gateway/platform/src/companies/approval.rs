//! Whether staff have approved a company. Only an approved company starts sales and withdraws. Sales of other companies
//! that an acquirer has captured are recorded, and their money is held.

use ledger_domain::BusinessId;
use ledger_domain::business::CompanyStatus;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::columns::column_words;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// Not decided on yet. The state of a new company.
    Pending,
    Enabled,
    Denied,
    Deleted,
}

impl Approval {
    pub const ALL: [Self; 4] = [Self::Pending, Self::Enabled, Self::Denied, Self::Deleted];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Enabled => "enabled",
            Self::Denied => "denied",
            Self::Deleted => "deleted",
        }
    }

    /// The text of screens and spreadsheets.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Pending => "Não definido",
            Self::Enabled => "Aprovado",
            Self::Denied => "Negado",
            Self::Deleted => "Deletado",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|approval| approval.as_str() == text)
    }

    pub const fn company_status(self) -> CompanyStatus {
        match self {
            Self::Pending => CompanyStatus::Pending,
            Self::Enabled => CompanyStatus::Active,
            Self::Denied => CompanyStatus::Denied,
            Self::Deleted => CompanyStatus::Deleted,
        }
    }
}

column_words! {
    Approval = "approval" Self::parse;
}

/// The approved companies among these.
pub async fn companies_approved(
    client: &impl GenericClient,
    companies: &[BusinessId],
) -> Result<Vec<BusinessId>, Error> {
    let ids: Vec<Uuid> = companies.iter().map(|id| id.uuid()).collect();
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let rows = client
        .query_typed(
            "SELECT id FROM business WHERE id = ANY ($1) AND approval = 'enabled' ORDER BY id",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    Ok(rows.iter().map(|row| BusinessId::from_uuid(row.get(0))).collect())
}
