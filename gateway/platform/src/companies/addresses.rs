//! The addresses of companies.

use ledger_domain::BusinessId;
use serde_json::{Value, json};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The street.
    pub address: String,
    pub number: Option<String>,
    pub complement: Option<String>,
    /// A landmark nearby.
    pub reference: Option<String>,
    pub neighborhood: String,
    pub city: String,
    /// The state's two letters.
    pub state: String,
    /// Eight digits.
    pub postal_code: String,
}

impl Address {
    /// The fields as the audit log has them.
    pub fn as_json(&self) -> Value {
        json!({
            "address": self.address, "number": self.number, "complement": self.complement,
            "reference": self.reference, "neighborhood": self.neighborhood, "city": self.city,
            "state": self.state, "postal_code": self.postal_code,
        })
    }
}

/// The company's addresses, the oldest first.
pub async fn addresses_of(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<(Uuid, Address)>, Error> {
    let rows = client
        .query_typed(
            "SELECT id, address, number, complement, reference, neighborhood, city, state, postal_code
               FROM business_address WHERE business_id = $1 ORDER BY created_at, id",
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), address(row))).collect())
}

/// One address of the company, locked until the transaction ends.
pub async fn address_locked(
    client: &impl GenericClient,
    company: BusinessId,
    id: Uuid,
) -> Result<Option<Address>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT id, address, number, complement, reference, neighborhood, city, state, postal_code
               FROM business_address WHERE business_id = $1 AND id = $2 FOR UPDATE",
            &[(&company.uuid(), Type::UUID), (&id, Type::UUID)],
        )
        .await?;
    Ok(row.as_ref().map(address))
}

/// Adds the address, or replaces the one with this id. Another company's address is not replaced.
pub async fn address_put(
    client: &impl GenericClient,
    company: BusinessId,
    id: Uuid,
    address: &Address,
) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO business_address AS kept (id, business_id, address, number, complement, reference,
                                                   neighborhood, city, state, postal_code)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (id) DO UPDATE
                SET address = excluded.address, number = excluded.number, complement = excluded.complement,
                    reference = excluded.reference, neighborhood = excluded.neighborhood, city = excluded.city,
                    state = excluded.state, postal_code = excluded.postal_code
              WHERE kept.business_id = excluded.business_id",
            &[
                (&id, Type::UUID),
                (&company.uuid(), Type::UUID),
                (&address.address, Type::TEXT),
                (&address.number, Type::TEXT),
                (&address.complement, Type::TEXT),
                (&address.reference, Type::TEXT),
                (&address.neighborhood, Type::TEXT),
                (&address.city, Type::TEXT),
                (&address.state, Type::TEXT),
                (&address.postal_code, Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

fn address(row: &Row) -> Address {
    Address {
        address: row.get(1),
        number: row.get(2),
        complement: row.get(3),
        reference: row.get(4),
        neighborhood: row.get(5),
        city: row.get(6),
        state: row.get(7),
        postal_code: row.get(8),
    }
}
