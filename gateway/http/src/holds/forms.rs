//! The request bodies of what staff do with holds. The ledger decides whether the amounts are allowed.

use chrono::NaiveDate;
use gateway_platform::adjustments::holds::{HoldAction, HoldChange};
use ledger_domain::hold::HoldKind;
use ledger_domain::{BusinessId, Cents, HoldId, SaleId};

use crate::edge::QueryValue;
use crate::problem::{Problem, Result};
use crate::shared::form::{
    Kind, REASON_MAX, cents, cents_from_one, form, line, list, optional, optional_word, password, required,
    value,
};

/// The most documents that a hold asks for, and the length of the name of one.
const DOCUMENTS_MAX: usize = 10;
pub const DOCUMENT_NAME_MAX: usize = 120;
const CASE_MAX: usize = 60;
const COURT_MAX: usize = 120;
const RECEIPT_MAX: usize = 60;

form! {
    /// A new hold.
    pub struct HoldForm {
        #[example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02"]
        business_id: BusinessId = required(value(), BusinessId::MISSING),
        /// analysis, contract or judicial. The default is analysis. The platform places the others itself.
        kind: Option<HoldKind> = optional_word(),
        /// The amount in cents. Of a judicial hold, what the court orders: the hold takes what is available, and then
        /// later credits.
        #[example = 50_000]
        amount: Cents = required(cents_from_one(), "requerido"),
        /// Why. The seller reads it. Up to 500 characters.
        #[example = "Análise de vendas de valor incomum"]
        reason: String = required(line(REASON_MAX), "Informe o motivo."),
        /// When staff want to look at it again. It releases nothing.
        #[example = "2026-12-10"]
        until: Option<NaiveDate> = optional(value()),
        /// What the seller is asked to send: up to 10 names of documents.
        documents: Option<Vec<String>> = optional(document_names()),
        /// The sale that is the reason.
        sale_id: Option<SaleId> = optional(value()),
        /// Of a judicial hold.
        case_number: Option<String> = optional(line(CASE_MAX)),
        /// Of a judicial hold.
        court: Option<String> = optional(line(COURT_MAX)),
    }
}

form! {
    /// What is said about a hold. Fields that are left out become empty.
    pub struct HoldChangeForm {
        /// Why. The seller reads it. Up to 500 characters.
        #[example = "Faltam as notas fiscais"]
        reason: String = required(line(REASON_MAX), "Informe o motivo."),
        /// When staff want to look at it again. It releases nothing.
        #[example = "2026-12-17"]
        until: Option<NaiveDate> = optional(value()),
        /// What the seller is asked to send: up to 10 names of documents.
        documents: Option<Vec<String>> = optional(document_names()),
    }
}

form! {
    /// The release of a hold, in part or whole.
    pub struct HoldReleaseForm {
        /// The amount in cents. Zero lifts a court's order of which nothing is held yet.
        #[example = 50_000]
        amount: Cents = required(cents(), "requerido"),
        /// Why. The seller reads it. Up to 500 characters.
        #[example = "Análise concluída"]
        reason: String = required(line(REASON_MAX), "Informe o motivo."),
    }
}

form! {
    /// A judicial deposit.
    pub struct CourtPaymentForm {
        /// The amount in cents.
        #[example = 50_000]
        amount: Cents = required(cents_from_one(), "requerido"),
        /// The number of the judicial deposit or of its receipt.
        #[example = "081160000012345678"]
        receipt: String = required(line(RECEIPT_MAX), "Informe o número do depósito judicial."),
        /// The password of the signed-in user.
        #[example = "demonstracao-1"]
        password: String = required(password(), "A senha é requerida."),
    }
}

fn document_names() -> Kind<Vec<String>> {
    list(|names| {
        let names: Vec<String> = names
            .iter()
            .map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|name| !name.is_empty())
            .collect();
        if names.len() > DOCUMENTS_MAX {
            return Err("Peça até 10 documentos.");
        }
        if names.iter().any(|name| name.chars().count() > DOCUMENT_NAME_MAX) {
            return Err("O nome de um documento deve ter até 120 caracteres.");
        }
        Ok(names)
    })
}

impl HoldForm {
    pub fn into_change(self) -> Result<HoldChange> {
        let kind = self.kind.unwrap_or(HoldKind::Analysis);
        if !kind.is_placed_by_staff() {
            return Err(Problem::field("kind", "A plataforma cria retenções deste tipo."));
        }
        if kind == HoldKind::Judicial {
            for (field, text, message) in [
                ("case_number", &self.case_number, "Informe o número do processo."),
                ("court", &self.court, "Informe a vara."),
            ] {
                if text.is_none() {
                    return Err(Problem::field(field, message));
                }
            }
        }
        Ok(HoldChange {
            business_id: self.business_id,
            amount: self.amount,
            reason: self.reason,
            action: HoldAction::Place {
                kind,
                until: self.until,
                documents: self.documents.unwrap_or_default(),
                sale_id: self.sale_id,
                case_number: self.case_number,
                court: self.court,
            },
        })
    }
}

impl HoldChangeForm {
    pub fn into_change(self, business_id: BusinessId, hold_id: HoldId) -> HoldChange {
        HoldChange {
            business_id,
            amount: Cents::ZERO,
            reason: self.reason,
            action: HoldAction::Change {
                hold_id,
                until: self.until,
                documents: self.documents.unwrap_or_default(),
            },
        }
    }
}

impl HoldReleaseForm {
    pub fn into_change(self, business_id: BusinessId, hold_id: HoldId, kind: HoldKind) -> HoldChange {
        HoldChange {
            business_id,
            amount: self.amount,
            reason: self.reason,
            action: HoldAction::Release {
                hold_id,
                judicial: kind == HoldKind::Judicial,
            },
        }
    }
}
