//! Companies by id, for lists that show the company of each row.

use std::collections::HashMap;

use ledger_domain::BusinessId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedCompany {
    pub id: BusinessId,
    pub name: String,
    /// The CPF or CNPJ without punctuation.
    pub document: String,
}

/// The companies among these that exist.
pub async fn companies_by_id(
    client: &impl GenericClient,
    companies: &[BusinessId],
) -> Result<HashMap<BusinessId, NamedCompany>, Error> {
    let ids: Vec<Uuid> = companies.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT id, name, document FROM business WHERE id = ANY ($1)",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    let named = rows.iter().map(|row| {
        let id = BusinessId::from_uuid(row.get("id"));
        let company = NamedCompany {
            id,
            name: row.get("name"),
            document: row.get("document"),
        };
        (id, company)
    });
    Ok(named.collect())
}
