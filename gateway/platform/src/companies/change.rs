//! Changes a company. The caller compares versions, checks the rules and writes the audit log in its transaction.

use ledger_domain::BusinessId;
use serde_json::{Map, Value, json};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::approval::Approval;
use super::records::CompanyProfile;
use crate::columns;

/// The fields of a company that can be changed. Its document and its type cannot, because they identify it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyFields {
    pub name: String,
    pub statement_descriptor: Option<String>,
    pub approval: Approval,
    pub receiving_plan_id: Uuid,
    pub profile: CompanyProfile,
}

/// A company with its row locked.
#[derive(Debug, Clone)]
pub struct LockedCompany {
    /// Grows by one with each change.
    pub version: i32,
    pub is_person: bool,
    pub fields: CompanyFields,
}

pub async fn company_locked(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<LockedCompany>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT version, type = 'PF', name, statement_descriptor, approval, receiving_plan_id, trade_name, email,
                    phone, mcc, representative_name, representative_document, birth_date
               FROM business WHERE id = $1 FOR NO KEY UPDATE",
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(LockedCompany {
        version: row.get(0),
        is_person: row.get(1),
        fields: CompanyFields {
            name: row.get(2),
            statement_descriptor: row.get(3),
            approval: columns::read(&row, 4)?,
            receiving_plan_id: row.get(5),
            profile: CompanyProfile {
                trade_name: row.get(6),
                email: row.get(7),
                phone: row.get(8),
                mcc: row.get(9),
                representative_name: row.get(10),
                representative_document: row.get(11),
                birth_date: row.get(12),
            },
        },
    }))
}

/// Writes all fields, and returns the new version.
pub async fn company_update(
    client: &impl GenericClient,
    company: BusinessId,
    fields: &CompanyFields,
) -> Result<i32, Error> {
    let profile = &fields.profile;
    let row = client
        .query_typed_one(
            "UPDATE business
                SET name = $2, statement_descriptor = $3, approval = $4, receiving_plan_id = $5, trade_name = $6,
                    email = $7, phone = $8, mcc = $9, representative_name = $10, representative_document = $11,
                    birth_date = $12, version = version + 1
              WHERE id = $1 RETURNING version",
            &[
                (&company.uuid(), Type::UUID),
                (&fields.name, Type::TEXT),
                (&fields.statement_descriptor, Type::TEXT),
                (&fields.approval.as_str(), Type::TEXT),
                (&fields.receiving_plan_id, Type::UUID),
                (&profile.trade_name, Type::TEXT),
                (&profile.email, Type::TEXT),
                (&profile.phone, Type::TEXT),
                (&profile.mcc, Type::TEXT),
                (&profile.representative_name, Type::TEXT),
                (&profile.representative_document, Type::TEXT),
                (&profile.birth_date, Type::DATE),
            ],
        )
        .await?;
    Ok(row.get(0))
}

/// Counts a change of a record that belongs to the company but is not in its row, such as an address. Returns the new
/// version.
pub async fn company_touch(client: &impl GenericClient, company: BusinessId) -> Result<i32, Error> {
    let row = client
        .query_typed_one(
            "UPDATE business SET version = version + 1 WHERE id = $1 RETURNING version",
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.get(0))
}

impl CompanyFields {
    /// This side's values of the fields that differ from the other side's, for the audit log.
    pub fn changed_fields(&self, other: &Self) -> Map<String, Value> {
        let differing = |(field, own): (String, Value)| {
            let same = other.as_map().get(&field) == Some(&own);
            (!same).then_some((field, own))
        };
        self.as_map().into_iter().filter_map(differing).collect()
    }

    pub fn as_map(&self) -> Map<String, Value> {
        let profile = &self.profile;
        let fields = json!({
            "name": self.name, "statement_descriptor": self.statement_descriptor,
            "approval": self.approval.as_str(), "receiving_plan_id": self.receiving_plan_id,
            "trade_name": profile.trade_name, "email": profile.email, "phone": profile.phone, "mcc": profile.mcc,
            "representative_name": profile.representative_name,
            "representative_document": profile.representative_document, "birth_date": profile.birth_date,
        });
        match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }
}

/// Whether a receiving plan exists and companies may get it. The lock keeps it active until the commit.
pub async fn receiving_plan_active(client: &impl GenericClient, plan: Uuid) -> Result<bool, Error> {
    let row = client
        .query_typed_opt(
            "SELECT FROM receiving_plan WHERE id = $1 AND active FOR SHARE",
            &[(&plan, Type::UUID)],
        )
        .await?;
    Ok(row.is_some())
}

/// The default receiving plan, which a new company gets.
pub async fn receiving_plan_default(client: &impl GenericClient) -> Result<Option<Uuid>, Error> {
    let row = client
        .query_typed_opt("SELECT id FROM receiving_plan WHERE is_default", &[])
        .await?;
    Ok(row.map(|row| row.get(0)))
}

/// Whether there is a company with this CPF or CNPJ, without its mask.
pub async fn company_with_document_exists(
    client: &impl GenericClient,
    document: &str,
) -> Result<bool, Error> {
    let row = client
        .query_typed_opt(
            "SELECT FROM business WHERE document = $1",
            &[(&document, Type::TEXT)],
        )
        .await?;
    Ok(row.is_some())
}
