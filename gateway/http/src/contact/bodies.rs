//! Response bodies: messages of sellers to the platform, with the answers of staff.
//!
//! Sellers see that staff answered, but not which user of the staff.

use chrono::{DateTime, Utc};
use gateway_platform::contact::{ContactAnswer, ContactMessage, ContactState};
use gateway_platform::settings::Tenant;
use ledger_domain::ids::UserId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::list::PageOf;
use crate::shared::schemas::Word;
use crate::spreadsheet::{Cell, Column, Table, labels, list_column, text};

/// How to reach the platform, from the settings of the panel's tenant. A channel that is not set is null.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContactChannels {
    #[schema(required = true, example = "ajuda@lojas.example")]
    pub email: Option<String>,
    /// Digits, with the area code.
    #[schema(required = true, example = "1133334444")]
    pub phone: Option<String>,
    /// Digits, with the area code.
    #[schema(required = true, example = "11999998888")]
    pub whatsapp: Option<String>,
}

impl From<Tenant> for ContactChannels {
    fn from(tenant: Tenant) -> Self {
        Self {
            email: tenant.contact_email,
            phone: tenant.contact_phone,
            whatsapp: tenant.contact_whatsapp,
        }
    }
}

pub type ContactStateName = Word<ContactState>;
pub type ContactMessagePage = PageOf<ContactMessageRow>;
pub type OwnContactMessagePage = PageOf<OwnContactMessage>;

/// A message of the signed-in seller.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnContactMessage {
    #[schema(example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b10")]
    pub id: Uuid,
    /// The number by which sellers and staff name the message.
    #[schema(example = 1042)]
    pub number: i64,
    #[schema(example = "Padaria Souza Ltda")]
    pub business_name: String,
    #[schema(example = "Dúvida sobre o repasse")]
    pub subject: String,
    #[schema(example = "Quando recebo a venda de ontem?")]
    pub message: String,
    pub state: ContactStateName,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// Oldest first.
    pub answers: Vec<OwnContactAnswer>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OwnContactAnswer {
    #[schema(example = "Amanhã, até as 12h.")]
    pub message: String,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
}

impl OwnContactMessage {
    pub fn of(message: ContactMessage, answers: &[ContactAnswer]) -> Self {
        Self {
            answers: answers
                .iter()
                .filter(|answer| answer.message_id == message.id)
                .map(|answer| OwnContactAnswer {
                    message: answer.body.clone(),
                    created_at: answer.created_at,
                })
                .collect(),
            id: message.id,
            number: message.number,
            business_name: message.business_name,
            subject: message.subject,
            message: message.body,
            state: message.state.into(),
            created_at: message.created_at,
        }
    }
}

/// A message in staff's list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContactMessageRow {
    #[schema(example = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b10")]
    pub id: Uuid,
    /// The number by which sellers and staff name the message.
    #[schema(example = 1042)]
    pub number: i64,
    pub seller: ContactSeller,
    pub business: ContactBusiness,
    #[schema(example = "Dúvida sobre o repasse")]
    pub subject: String,
    #[schema(example = "Quando recebo a venda de ontem?")]
    pub message: String,
    pub state: ContactStateName,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// UTC instant of the last answer or change of the state, else of the message.
    pub updated_at: DateTime<Utc>,
    /// Rises with each answer and each change of the state. A request for either may give the version that it saw.
    #[schema(example = 1)]
    pub version: i32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ContactSeller {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub id: String,
    #[schema(example = "Ana Souza")]
    pub name: String,
    #[schema(example = "ana@padaria.example")]
    pub email: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ContactBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
}

impl From<ContactMessage> for ContactMessageRow {
    fn from(message: ContactMessage) -> Self {
        Self {
            id: message.id,
            number: message.number,
            seller: ContactSeller {
                id: message.seller.to_string(),
                name: message.seller_name,
                email: message.seller_email,
            },
            business: ContactBusiness {
                id: message.business_id.to_string(),
                name: message.business_name,
                document: message.business_document,
            },
            subject: message.subject,
            message: message.body,
            state: message.state.into(),
            created_at: message.created_at,
            updated_at: message.updated_at,
            version: message.version,
        }
    }
}

/// A message with its answers, for staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContactMessageDetail {
    #[serde(flatten)]
    pub message: ContactMessageRow,
    /// Oldest first.
    pub answers: Vec<ContactAnswerRow>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ContactAnswerRow {
    #[schema(example = "Amanhã, até as 12h.")]
    pub message: String,
    /// The name of the user who answered, if it is known.
    #[schema(required = true, example = "Bruno Lima")]
    pub answered_by: Option<String>,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
}

impl ContactAnswerRow {
    pub fn of(answer: ContactAnswer, name: impl Fn(UserId) -> Option<String>) -> Self {
        Self {
            answered_by: name(answer.admin),
            message: answer.body,
            created_at: answer.created_at,
        }
    }
}

/// Staff's list as a spreadsheet.
pub const CONTACT_MESSAGES: Table<ContactMessageRow> = Table {
    name: "mensagens",
    columns: COLUMNS,
};

const COLUMNS: &[Column<ContactMessageRow>] = &[
    list_column("createdAt", "Recebida em", 17, |row| {
        Cell::Instant(row.created_at)
    }),
    list_column("number", "Número", 10, |row| text(row.number.to_string())),
    list_column("subject", "Assunto", 40, |row| text(&row.subject)),
    list_column("message", "Mensagem", 60, |row| text(&row.message)),
    list_column("business", "Empresa", 40, |row| text(&row.business.name)),
    list_column("document", "CPF ou CNPJ", 20, |row| {
        text(labels::document(&row.business.document))
    }),
    list_column("user", "Usuário", 30, |row| text(&row.seller.name)),
    list_column("email", "E-mail", 30, |row| text(&row.seller.email)),
    list_column("state", "Status", 12, |row| text(row.state.label())),
    list_column("updatedAt", "Atualizada em", 17, |row| {
        Cell::Instant(row.updated_at)
    }),
];
