//! Company queries for staff: search by name or document, one in full, the number of active ones, the newest ones.

use chrono::{DateTime, Utc};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

/// The number of results that a select shows. A longer search text finds the others.
const FOUND_MAX: i64 = 50;
const NEWEST: i64 = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCompany {
    pub id: BusinessId,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyRecord {
    pub id: BusinessId,
    pub name: String,
    pub document: String,
    pub is_person: bool,
    pub statement_descriptor: Option<String>,
    pub approval: String,
    pub receiving_plan: CompanyReceivingPlan,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyReceivingPlan {
    pub id: Uuid,
    pub description: String,
    pub flat_rate: Cents,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCompany {
    pub id: BusinessId,
    pub name: String,
    pub created_at: DateTime<Utc>,
}

/// Searches companies whose name or document contains the text, ordered by name; all of them if the text is empty.
/// Case, accents and the document's punctuation are ignored.
pub async fn companies_search(client: &impl GenericClient, text: &str) -> Result<Vec<FoundCompany>, Error> {
    let name = folded(text);
    let document: String = text
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_uppercase())
        .collect();
    // Every document contains the empty text, so a text without letters or digits is not compared with documents.
    let document = Some(document).filter(|document| !document.is_empty());
    let rows = client
        .query_typed(
            "SELECT id, name FROM business
              WHERE strpos(lower(translate(name, 'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
                                          'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn')), $1) > 0
                 OR strpos(document, $2) > 0
              ORDER BY name, id LIMIT $3",
            &[
                (&name, Type::TEXT),
                (&document, Type::TEXT),
                (&FOUND_MAX, Type::INT8),
            ],
        )
        .await?;
    let found = |row: &Row| FoundCompany {
        id: BusinessId::from_uuid(row.get(0)),
        name: row.get(1),
    };
    Ok(rows.iter().map(found).collect())
}

/// Folds a text as the statement folds names. The statement removes accents first, because lowercasing accented letters
/// depends on the database's locale.
pub fn folded(text: &str) -> String {
    let lower = text.to_lowercase();
    let folded = lower.chars().map(|character| match character {
        'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    });
    folded.collect()
}

pub async fn company_fetch(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<CompanyRecord>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT b.id, b.name, b.document, b.type = 'PF', b.statement_descriptor, b.approval, b.created_at,
                    plan.id, plan.description, plan.flat_rate
               FROM business b JOIN receiving_plan plan ON plan.id = b.receiving_plan_id
              WHERE b.id = $1",
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.map(|row| CompanyRecord {
        id: BusinessId::from_uuid(row.get(0)),
        name: row.get(1),
        document: row.get(2),
        is_person: row.get(3),
        statement_descriptor: row.get(4),
        approval: row.get(5),
        created_at: row.get(6),
        receiving_plan: CompanyReceivingPlan {
            id: row.get(7),
            description: row.get(8),
            flat_rate: Cents::new(row.get(9)),
        },
    }))
}

/// The number of companies that can sell.
pub async fn companies_active(client: &impl GenericClient) -> Result<i64, Error> {
    let row = client
        .query_typed_one("SELECT count(*) FROM business WHERE approval = 'enabled'", &[])
        .await?;
    Ok(row.get(0))
}

pub async fn companies_newest(client: &impl GenericClient) -> Result<Vec<NewCompany>, Error> {
    let rows = client
        .query_typed(
            "SELECT id, name, created_at FROM business ORDER BY created_at DESC, id DESC LIMIT $1",
            &[(&NEWEST, Type::INT8)],
        )
        .await?;
    let company = |row: &Row| NewCompany {
        id: BusinessId::from_uuid(row.get(0)),
        name: row.get(1),
        created_at: row.get(2),
    };
    Ok(rows.iter().map(company).collect())
}
