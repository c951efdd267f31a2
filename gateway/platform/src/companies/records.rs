//! The rows of companies: one in full, and those that are added. Constraints of the tables check the values. Each
//! function is one statement in its caller's transaction.

use chrono::{DateTime, NaiveDate, Utc};
use ledger_domain::documents::{Cnpj, Cpf, Document};
use ledger_domain::{BusinessId, Cents};
use ledger_rows::{FromRow, execute, fetch, fetch_opt, insert, params, row, value};
use serde_json::{Map, Value, json};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::approval::Approval;
use crate::validity::Since;

/// The home of the staff panel shows five.
const NEWEST_MAX: i64 = 5;

// The API's document has this name, and no description of it.
ledger_domain::words! {
    pub enum BusinessType {
        /// A natural person, with a CPF.
        Pf = "PF" => "Pessoa física",
        /// A legal entity, with a CNPJ.
        Pj = "PJ" => "Pessoa jurídica",
    }
}

impl BusinessType {
    pub const fn of(document: &Document) -> Self {
        match document {
            Document::Cpf(_) => Self::Pf,
            Document::Cnpj(_) => Self::Pj,
        }
    }

    pub const fn is_person(self) -> bool {
        matches!(self, Self::Pf)
    }

    /// The document of a company of this type. The error is shown to the user.
    pub fn document(self, text: &str) -> Result<Document, &'static str> {
        let (parsed, missing, invalid) = match self {
            Self::Pf => {
                let cpf = Cpf::parse(text).ok().map(Document::Cpf);
                (cpf, "CPF é requerido.", "CPF inválido.")
            }
            Self::Pj => {
                let cnpj = Cnpj::parse(text).ok().map(Document::Cnpj);
                (cnpj, "Informe o CNPJ.", "CNPJ inválido.")
            }
        };
        parsed.ok_or(if text.is_empty() { missing } else { invalid })
    }
}

#[derive(Debug, Clone)]
pub struct NewBusiness {
    pub id: BusinessId,
    pub name: String,
    pub document: Document,
    pub statement_descriptor: Option<String>,
    pub receiving_plan_id: Uuid,
    pub profile: CompanyProfile,
    pub created_at: Since,
}

/// The optional data of a company.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompanyProfile {
    pub trade_name: Option<String>,
    pub email: Option<String>,
    /// Digits with area code.
    pub phone: Option<String>,
    /// Merchant category code (ISO 18245).
    pub mcc: Option<String>,
    /// Only a legal entity has a representative.
    pub representative_name: Option<String>,
    /// CPF without its mask.
    pub representative_document: Option<String>,
    /// Only a person has one.
    pub birth_date: Option<NaiveDate>,
}

/// The fields of a company that can be changed. Its document and its type cannot, because they identify it. The approval
/// changes by a decision (`decisions`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyFields {
    pub name: String,
    pub statement_descriptor: Option<String>,
    pub receiving_plan_id: Uuid,
    pub profile: CompanyProfile,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyRecord {
    pub id: BusinessId,
    pub name: String,
    pub document: String,
    pub business_type: BusinessType,
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

row! {
    impl FromRow for CompanyRecord {
        id: BusinessId = "b.id",
        name: String = "b.name",
        document: String = "b.document",
        business_type: BusinessType = "b.type",
        statement_descriptor: Option<String> = "b.statement_descriptor",
        approval: Approval = "b.approval",
        trade_name: Option<String> = "b.trade_name",
        email: Option<String> = "b.email",
        phone: Option<String> = "b.phone",
        mcc: Option<String> = "b.mcc",
        representative_name: Option<String> = "b.representative_name",
        representative_document: Option<String> = "b.representative_document",
        birth_date: Option<NaiveDate> = "b.birth_date",
        version: i32 = "b.version",
        plan_id: Uuid = "plan.id",
        plan_description: String = "plan.description",
        flat_rate: Cents = "plan.flat_rate",
        created_at: DateTime<Utc> = "b.created_at",
    } => Self {
        id,
        name,
        document,
        business_type,
        statement_descriptor,
        approval,
        profile: CompanyProfile {
            trade_name,
            email,
            phone,
            mcc,
            representative_name,
            representative_document,
            birth_date,
        },
        version,
        receiving_plan: CompanyReceivingPlan {
            id: plan_id,
            description: plan_description,
            flat_rate,
        },
        created_at,
    }
}

impl CompanyRecord {
    pub fn fields(&self) -> CompanyFields {
        CompanyFields {
            name: self.name.clone(),
            statement_descriptor: self.statement_descriptor.clone(),
            receiving_plan_id: self.receiving_plan.id,
            profile: self.profile.clone(),
        }
    }
}

impl CompanyFields {
    /// The fields as the audit log has them.
    pub(super) fn as_map(&self) -> Map<String, Value> {
        // Names every field, so that a new one is recorded too.
        let Self {
            name,
            statement_descriptor,
            receiving_plan_id,
            profile:
                CompanyProfile {
                    trade_name,
                    email,
                    phone,
                    mcc,
                    representative_name,
                    representative_document,
                    birth_date,
                },
        } = self;
        let fields = [
            ("name", json!(name)),
            ("statement_descriptor", json!(statement_descriptor)),
            ("receiving_plan_id", json!(receiving_plan_id)),
            ("trade_name", json!(trade_name)),
            ("email", json!(email)),
            ("phone", json!(phone)),
            ("mcc", json!(mcc)),
            ("representative_name", json!(representative_name)),
            ("representative_document", json!(representative_document)),
            ("birth_date", json!(birth_date)),
        ];
        let named = fields.map(|(field, value)| (field.to_owned(), value));
        Map::from_iter(named)
    }
}

pub async fn company_fetch(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<CompanyRecord>, Error> {
    let sql = format!(
        "SELECT {} FROM business b JOIN receiving_plan plan ON plan.id = b.receiving_plan_id WHERE b.id = $1",
        CompanyRecord::COLUMNS
    );
    fetch_opt(client, &sql, params![company]).await
}

/// The company, locked until the end of the transaction. The row is locked first and read by a second statement. A
/// single statement that waited for the lock would join the plan that the company had before the wait.
pub async fn company_locked(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Option<CompanyRecord>, Error> {
    let sql = "SELECT FROM business WHERE id = $1 FOR NO KEY UPDATE";
    execute(client, sql, params![company]).await?;
    company_fetch(client, company).await
}

/// Whether there is a company with this CPF or CNPJ, without its mask.
pub async fn company_with_document_exists(
    client: &impl GenericClient,
    document: &str,
) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT FROM business WHERE document = $1)";
    value(client, sql, params![document]).await
}

pub async fn business_create(client: &impl GenericClient, business: &NewBusiness) -> Result<(), Error> {
    let profile = &business.profile;
    let sql =
        "INSERT INTO business (id, name, document, type, statement_descriptor, receiving_plan_id, created_at,
                                     trade_name, email, phone, mcc, representative_name,
                                     representative_document, birth_date)
               VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, now()), $8, $9, $10, $11, $12, $13, $14)";
    let (document, business_type) = (business.document.unmasked(), BusinessType::of(&business.document));
    let created_at = business.created_at.instant();
    let parameters = params![
        business.id,
        business.name,
        document,
        business_type,
        business.statement_descriptor,
        business.receiving_plan_id,
        created_at,
        profile.trade_name,
        profile.email,
        profile.phone,
        profile.mcc,
        profile.representative_name,
        profile.representative_document,
        profile.birth_date,
    ];
    execute(client, sql, parameters).await.map(drop)
}

/// Writes all fields, and returns the new version.
pub(super) async fn company_update(
    client: &impl GenericClient,
    company: BusinessId,
    fields: &CompanyFields,
) -> Result<i32, Error> {
    // Names every field, so that a new one is written too.
    let CompanyFields {
        name,
        statement_descriptor,
        receiving_plan_id,
        profile:
            CompanyProfile {
                trade_name,
                email,
                phone,
                mcc,
                representative_name,
                representative_document,
                birth_date,
            },
    } = fields;
    let sql = "UPDATE business
                  SET name = $2, statement_descriptor = $3, receiving_plan_id = $4, trade_name = $5, email = $6,
                      phone = $7, mcc = $8, representative_name = $9, representative_document = $10,
                      birth_date = $11, version = version + 1
                WHERE id = $1 RETURNING version";
    let parameters = params![
        company,
        name,
        statement_descriptor,
        receiving_plan_id,
        trade_name,
        email,
        phone,
        mcc,
        representative_name,
        representative_document,
        birth_date,
    ];
    value(client, sql, parameters).await
}

/// Counts a change of a record that belongs to the company but is not in its row, such as an address. Returns the new
/// version.
pub(super) async fn company_touch(client: &impl GenericClient, company: BusinessId) -> Result<i32, Error> {
    let sql = "UPDATE business SET version = version + 1 WHERE id = $1 RETURNING version";
    value(client, sql, params![company]).await
}

/// The number of approved companies.
pub async fn active_company_count(client: &impl GenericClient) -> Result<i64, Error> {
    let sql = "SELECT count(*) FROM business WHERE approval = 'enabled'";
    value(client, sql, params![]).await
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NewestCompany {
        pub id: BusinessId,
        pub name: String,
        pub approval: Approval,
        pub created_at: DateTime<Utc>,
    }
}

/// The companies that were created last, the newest first.
pub async fn companies_newest(client: &impl GenericClient) -> Result<Vec<NewestCompany>, Error> {
    let sql = format!(
        "SELECT {} FROM business ORDER BY created_at DESC, id DESC LIMIT $1",
        NewestCompany::COLUMNS
    );
    fetch(client, &sql, params![NEWEST_MAX]).await
}

row! {
    #[derive(Debug, Clone)]
    pub struct NewReceivingPlan in "receiving_plan" {
        pub id: Uuid,
        pub description: String,
        /// The fee of one withdrawal.
        pub flat_rate: Cents,
        pub is_default: bool,
        pub active: bool,
    }
}

pub async fn receiving_plan_create(
    client: &impl GenericClient,
    plan: &NewReceivingPlan,
) -> Result<(), Error> {
    insert(client, plan).await
}
