//! Companies by id, for lists that show the company of each row.

use std::collections::HashMap;

use ledger_domain::BusinessId;
use ledger_rows::{FromRow, fetch, params, row};
use tokio_postgres::{Error, GenericClient};

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NamedCompany {
        pub id: BusinessId,
        pub name: String,
        /// The CPF or CNPJ without punctuation.
        pub document: String,
    }
}

impl NamedCompany {
    /// The company of columns that are null together.
    pub(crate) fn of_columns(
        id: Option<BusinessId>,
        name: Option<String>,
        document: Option<String>,
    ) -> Option<Self> {
        Some(Self {
            id: id?,
            name: name?,
            document: document?,
        })
    }
}

/// The companies among these that exist.
pub async fn companies_by_id(
    client: &impl GenericClient,
    companies: &[BusinessId],
) -> Result<HashMap<BusinessId, NamedCompany>, Error> {
    let sql = format!(
        "SELECT {} FROM business WHERE id = ANY ($1)",
        NamedCompany::COLUMNS
    );
    let named: Vec<NamedCompany> = fetch(client, &sql, params![companies]).await?;
    Ok(named.into_iter().map(|company| (company.id, company)).collect())
}
