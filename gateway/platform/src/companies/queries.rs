//! Company queries: one in full, the number of active ones, the newest ones.

use chrono::{DateTime, Utc};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::approval::Approval;
use super::records::CompanyProfile;
use crate::columns;

/// The home of the staff panel shows five.
const NEWEST_MAX: i64 = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyRecord {
    pub id: BusinessId,
    pub name: String,
    pub document: String,
    pub is_person: bool,
    pub statement_descriptor: Option<String>,
    pub approval: Approval,
    pub profile: CompanyProfile,
    /// Grows by one with each change.
    pub version: i32,
    pub receiving_plan: CompanyReceivingPlan,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyReceivingPlan {
    pub id: Uuid,
    pub description: String,
    /// The fee of one withdrawal.
    pub flat_rate: Cents,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewestCompany {
    pub id: BusinessId,
    pub name: String,
    pub created_at: DateTime<Utc>,
}

/// The text in lower case and without the accents that the database's function `folded` removes.
pub fn search_key(text: &str) -> String {
    let lower = text.to_lowercase();
    let key = lower.chars().map(|character| match character {
        'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    });
    key.collect()
}

pub async fn company_fetch(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<CompanyRecord>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT b.id, b.name, b.document, b.type = 'PF', b.statement_descriptor, b.approval, b.created_at,
                    plan.id, plan.description, plan.flat_rate, b.version, b.trade_name, b.email, b.phone, b.mcc,
                    b.representative_name, b.representative_document, b.birth_date
               FROM business b JOIN receiving_plan plan ON plan.id = b.receiving_plan_id
              WHERE b.id = $1",
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(CompanyRecord {
        id: BusinessId::from_uuid(row.get(0)),
        name: row.get(1),
        document: row.get(2),
        is_person: row.get(3),
        statement_descriptor: row.get(4),
        approval: columns::read(&row, 5)?,
        created_at: row.get(6),
        receiving_plan: CompanyReceivingPlan {
            id: row.get(7),
            description: row.get(8),
            flat_rate: Cents::new(row.get(9)),
        },
        version: row.get(10),
        profile: CompanyProfile {
            trade_name: row.get(11),
            email: row.get(12),
            phone: row.get(13),
            mcc: row.get(14),
            representative_name: row.get(15),
            representative_document: row.get(16),
            birth_date: row.get(17),
        },
    }))
}

/// The number of approved companies.
pub async fn active_company_count(client: &impl GenericClient) -> Result<i64, Error> {
    let row = client
        .query_typed_one("SELECT count(*) FROM business WHERE approval = 'enabled'", &[])
        .await?;
    Ok(row.get(0))
}

/// The companies that were created last, the newest first.
pub async fn companies_newest(client: &impl GenericClient) -> Result<Vec<NewestCompany>, Error> {
    let rows = client
        .query_typed(
            "SELECT id, name, created_at FROM business ORDER BY created_at DESC, id DESC LIMIT $1",
            &[(&NEWEST_MAX, Type::INT8)],
        )
        .await?;
    let company = |row: &Row| NewestCompany {
        id: BusinessId::from_uuid(row.get(0)),
        name: row.get(1),
        created_at: row.get(2),
    };
    Ok(rows.iter().map(company).collect())
}
