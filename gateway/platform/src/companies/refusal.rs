//! Why a change of a company is not made. The texts are shown to the user.

use ledger_domain::ids::UserId;
use ledger_store::log::LogError;
use thiserror::Error;

use super::decisions::BusinessDecisionStatus;
use super::documents::DocumentKind;
use super::required_documents::document_names;
use crate::error::DatabaseCause;
use crate::form_errors::FormErrors;

#[derive(Debug, Error)]
pub enum CompanyError {
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("the ledger could not be read: {0}")]
    Ledger(#[from] LogError),
    #[error("the sales could not be read: {0}")]
    Sales(#[from] projections::Error),
    #[error("refused: {0:?}")]
    Refused(CompanyRefusal),
}

pub type Result<T, E = CompanyError> = std::result::Result<T, E>;

/// What the user may correct, or has to ask somebody else for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CompanyRefusal {
    #[error("not found")]
    NotFound,
    /// Fields of the form.
    #[error("invalid fields")]
    Invalid(FormErrors),
    /// These fields were changed since the version that an edit started from.
    #[error("changed fields: {0:?}")]
    ChangedMeanwhile(Vec<String>),
    #[error("A empresa já tem 20 endereços. Edite um deles em vez de adicionar outro.")]
    TooManyAddresses,
    #[error("A empresa já tem 20 contas bancárias. Remova uma antes.")]
    TooManyAccounts,
    #[error("Escolha outra conta como padrão antes de remover esta.")]
    DefaultAccount,
    #[error("Esta empresa foi deletada.")]
    Deleted,
    /// A CPF or CNPJ that another company has.
    #[error("Este {0} já está cadastrado.")]
    DocumentKnown(&'static str),
    #[error("Escolha um plano de recebimento ativo.")]
    ReceivingPlanInactive,
    #[error("Escolha um plano de recebimento.")]
    ReceivingPlanMissing,
    #[error("Escolha planos ativos e em vigor, um por solução.")]
    PlanUnusable,
    /// What the company still has.
    #[error("A empresa não pode ser deletada enquanto tiver: {}.", .0.join(", "))]
    InUse(Vec<&'static str>),
    #[error("A equipe já enviou 20 documentos desta empresa.")]
    TooManyDocumentsOfStaff,
    #[error("A empresa já enviou 20 documentos.")]
    TooManyDocuments,
    #[error("Os documentos que a equipe envia de uma empresa podem ter até 50 MB no total.")]
    TooManyBytesOfStaff,
    #[error("Os documentos que a empresa envia podem ter até 50 MB no total.")]
    TooManyBytes,
    #[error(
        "Depois da decisão sobre a empresa, os documentos não podem ser removidos. Envie um novo, se mudou."
    )]
    DocumentsDecidedOn,
    #[error("Este documento foi enviado pela nossa equipe, e só ela pode removê-lo.")]
    DocumentOfStaff,
    /// This user may not approve without these documents.
    #[error(
        "Faltam documentos para a aprovação: {}. Só um proprietário ou administrador aprova sem eles, com um motivo.",
        document_names(.0)
    )]
    DocumentsMissing(Vec<DocumentKind>),
    /// Approving without these documents needs a reason.
    #[error(
        "Faltam documentos para a aprovação: {}. Informe o motivo para aprovar sem eles.",
        document_names(.0)
    )]
    ReasonForDocumentsMissing(Vec<DocumentKind>),
    /// The same for a requested approval: its answer has no field for the reason of the request.
    #[error(
        "Este pedido não pode mais ser confirmado. Faltam documentos para a aprovação: {}. Informe o motivo para aprovar sem eles.",
        document_names(.0)
    )]
    RequestOutdated(Vec<DocumentKind>),
    /// A denial, a deletion or a rejection needs a reason.
    #[error("Informe o motivo.")]
    ReasonMissing,
    /// There is nothing to decide: a new company is pending without a decision.
    #[error("Escolha Aprovado, Negado ou Deletado.")]
    NotADecision,
    /// An approval by this user already waits for a second person.
    #[error("the approval is requested by {0:?}")]
    AlreadyRequested(Option<UserId>),
    /// The request has this status.
    #[error("{}", .0.answer_given())]
    Answered(BusinessDecisionStatus),
    #[error("Quem pediu a aprovação não pode {0}. Outra pessoa decide, ou você retira o pedido.")]
    OwnRequest(&'static str),
    #[error("Só quem pediu a aprovação pode retirá-la.")]
    RequestOfOther,
}

impl BusinessDecisionStatus {
    const fn answer_given(self) -> &'static str {
        match self {
            Self::Taken => "Esta aprovação já foi confirmada.",
            Self::Rejected => "Esta aprovação já foi rejeitada.",
            Self::Withdrawn => "Esta aprovação já foi retirada.",
            Self::Pending => "Esta aprovação ainda não foi confirmada.",
        }
    }
}

/// The Portuguese word for a field of the audit log. `None` for a field that is not named to users.
pub fn field_label(field: &str) -> Option<&'static str> {
    Some(match field {
        "name" => "nome",
        "statement_descriptor" => "nome na fatura",
        "approval" => "aprovação",
        "receiving_plan_id" => "plano de recebimento",
        "trade_name" => "nome fantasia",
        "email" => "e-mail",
        "phone" => "telefone",
        "mcc" => "MCC",
        "representative_name" | "representative_document" => "representante legal",
        "birth_date" => "data de nascimento",
        "address" | "number" | "complement" | "reference" | "neighborhood" | "city" | "state"
        | "postal_code" => "endereço",
        _ => return None,
    })
}

impl CompanyRefusal {
    /// The error of one field of a form.
    pub(super) fn of_field(field: &str, message: &str) -> Self {
        let mut errors = FormErrors::default();
        errors.add(field, message);
        Self::Invalid(errors)
    }
}

impl From<CompanyRefusal> for CompanyError {
    fn from(refusal: CompanyRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<FormErrors> for CompanyError {
    fn from(errors: FormErrors) -> Self {
        Self::Refused(CompanyRefusal::Invalid(errors))
    }
}
