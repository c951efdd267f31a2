//! The addresses of companies.

use ledger_domain::BusinessId;
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row};
use serde_json::{Value, json};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::edit::Editor;
use super::records::company_touch;
use super::refusal::{CompanyRefusal, Result};

/// Keeps requests from adding rows without end.
const ADDRESSES_MAX: usize = 20;

row! {
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
}

impl Address {
    /// The fields as the audit log has them.
    pub(super) fn as_json(&self) -> Value {
        json!({
            "address": self.address, "number": self.number, "complement": self.complement,
            "reference": self.reference, "neighborhood": self.neighborhood, "city": self.city,
            "state": self.state, "postal_code": self.postal_code,
        })
    }
}

/// An address of a company, with its id.
struct Stored(Uuid, Address);

impl FromRow for Stored {
    const COLUMNS: &'static str = Address::COLUMNS;

    fn from_row(row: &ledger_rows::Row) -> Result<Self, Error> {
        Ok(Self(ledger_rows::get(row, "id")?, Address::from_row(row)?))
    }
}

/// The company's addresses, the oldest first.
pub async fn addresses_of(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<(Uuid, Address)>, Error> {
    let sql = format!(
        "SELECT id, {} FROM business_address WHERE business_id = $1 ORDER BY created_at, id",
        Stored::COLUMNS
    );
    let stored: Vec<Stored> = fetch(client, &sql, params![company]).await?;
    Ok(stored
        .into_iter()
        .map(|Stored(id, address)| (id, address))
        .collect())
}

/// One address of the company, locked until the transaction ends.
async fn address_locked(
    client: &impl GenericClient,
    company: BusinessId,
    id: Uuid,
) -> Result<Option<Address>, Error> {
    let sql = format!(
        "SELECT {} FROM business_address WHERE business_id = $1 AND id = $2 FOR UPDATE",
        Address::COLUMNS
    );
    fetch_opt(client, &sql, params![company, id]).await
}

/// Adds the address, or replaces the one with this id. Another company's address is not replaced.
pub(super) async fn address_put(
    client: &impl GenericClient,
    company: BusinessId,
    id: Uuid,
    address: &Address,
) -> Result<(), Error> {
    let sql = "INSERT INTO business_address AS kept (id, business_id, address, number, complement, reference,
                                                     neighborhood, city, state, postal_code)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
               ON CONFLICT (id) DO UPDATE
                  SET address = excluded.address, number = excluded.number, complement = excluded.complement,
                      reference = excluded.reference, neighborhood = excluded.neighborhood, city = excluded.city,
                      state = excluded.state, postal_code = excluded.postal_code
                WHERE kept.business_id = excluded.business_id";
    let parameters = params![
        id,
        company,
        address.address,
        address.number,
        address.complement,
        address.reference,
        address.neighborhood,
        address.city,
        address.state,
        address.postal_code,
    ];
    execute(client, sql, parameters).await.map(drop)
}

/// Replaces the address with this id, or adds one if there is no id. The caller has locked the company. A new or changed
/// address raises the company's version, like a changed field.
pub async fn save_address(
    client: &impl GenericClient,
    editor: Editor<'_>,
    company: BusinessId,
    id: Option<Uuid>,
    address: &Address,
) -> Result<()> {
    let before = match id {
        Some(id) => {
            let before = address_locked(client, company, id).await?;
            Some(before.ok_or(CompanyRefusal::NotFound)?)
        }
        None if addresses_of(client, company).await?.len() >= ADDRESSES_MAX => {
            return Err(CompanyRefusal::TooManyAddresses.into());
        }
        None => None,
    };
    if before.as_ref() == Some(address) {
        return Ok(());
    }
    let id = id.unwrap_or_else(|| editor.ids.new_uuid());
    address_put(client, company, id, address).await?;
    let mut after = address.as_json();
    after["version"] = json!(company_touch(client, company).await?);
    let action = if before.is_some() {
        "change-address"
    } else {
        "add-address"
    };
    let before = before.as_ref().map(Address::as_json);
    Ok(editor
        .record(client, company, action, before, Some(after))
        .await?)
}
