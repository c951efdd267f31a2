//! The problems of terminals. The rules are in `gateway_platform::terminals`.

use std::borrow::Cow;

use gateway_platform::providers::terminals::ActivationRefusal;
use gateway_platform::terminals::{Billing, TerminalRecord, TerminalRefusal};

use super::Problem;

impl From<TerminalRefusal> for Problem {
    fn from(refusal: TerminalRefusal) -> Self {
        use TerminalRefusal as R;
        match refusal {
            R::Changed(terminal) => Self::conflict(format!(
                "Outra pessoa mudou esta maquininha: agora ela {}. Confira e salve de novo.",
                present_state(&terminal)
            )),
            R::OtherOwner(terminal) => Self::conflict(match &terminal.company {
                Some(company) => Cow::from(format!(
                    "Outra pessoa mudou esta maquininha: agora ela é de {}.",
                    company.name
                )),
                None => Cow::from("Outra pessoa já devolveu esta maquininha ao estoque."),
            }),
            R::KnownSerial(terminal) => Self::conflict(match &terminal.company {
                Some(company) => Cow::from(format!(
                    "A maquininha {} já está cadastrada para {}.",
                    terminal.serial_number, company.name
                )),
                None => Cow::from(format!(
                    "A maquininha {} já está cadastrada e está em estoque. Mude a empresa dela na lista.",
                    terminal.serial_number
                )),
            }),
            R::CompanyNotActive => {
                Self::conflict("A empresa está negada ou deletada e não pode receber maquininhas.")
            }
            R::UnknownCompany => Self::field("business_id", "Empresa não encontrada."),
        }
    }
}

impl From<ActivationRefusal> for Problem {
    fn from(refusal: ActivationRefusal) -> Self {
        use ActivationRefusal as R;
        match refusal {
            R::UnknownToken => Self::field("token", "Token inválido. Confira os 8 dígitos na maquininha."),
            R::SpentToken => Self::field("token", "Este token já foi usado. Gere outro na maquininha."),
            R::ExpiredToken => Self::field("token", "Este token expirou. Gere outro na maquininha."),
            R::OtherTerminal => Self::field(
                "serial_number",
                "O token é de uma maquininha com outro número de série.",
            ),
        }
    }
}

/// The company, the billing and the name, as the end of a sentence.
fn present_state(terminal: &TerminalRecord) -> String {
    let owner = match &terminal.company {
        Some(company) => format!("é de {}", company.name),
        None => return "está em estoque".to_owned(),
    };
    let billing = match terminal.billing {
        Some(Billing::Rental(_)) => ", por aluguel",
        Some(Billing::Adhesion(_)) => ", por adesão",
        None => "",
    };
    let name = match &terminal.name {
        Some(name) => format!(", com o nome “{name}”"),
        None => ", sem nome".to_owned(),
    };
    format!("{owner}{billing}{name}")
}
