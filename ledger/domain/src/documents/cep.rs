//! Postal codes (CEP) and the state of each, by ranges.
//!
//! Street addresses come from an external service. The ranges are used if it does not answer.

use std::fmt;

use thiserror::Error;

use super::{parsed_text, strip_mask};
use crate::words;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cep(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CepError {
    #[error("a CEP has 8 digits")]
    Length,
    #[error("a CEP has digits only")]
    Character,
}

words! {
    /// A Brazilian state, by its two-letter code.
    pub enum State {
        Ac = "AC" => "Acre",
        Al = "AL" => "Alagoas",
        Am = "AM" => "Amazonas",
        Ap = "AP" => "Amapá",
        Ba = "BA" => "Bahia",
        Ce = "CE" => "Ceará",
        Df = "DF" => "Distrito Federal",
        Es = "ES" => "Espírito Santo",
        Go = "GO" => "Goiás",
        Ma = "MA" => "Maranhão",
        Mg = "MG" => "Minas Gerais",
        Ms = "MS" => "Mato Grosso do Sul",
        Mt = "MT" => "Mato Grosso",
        Pa = "PA" => "Pará",
        Pb = "PB" => "Paraíba",
        Pe = "PE" => "Pernambuco",
        Pi = "PI" => "Piauí",
        Pr = "PR" => "Paraná",
        Rj = "RJ" => "Rio de Janeiro",
        Rn = "RN" => "Rio Grande do Norte",
        Ro = "RO" => "Rondônia",
        Rr = "RR" => "Roraima",
        Rs = "RS" => "Rio Grande do Sul",
        Sc = "SC" => "Santa Catarina",
        Se = "SE" => "Sergipe",
        Sp = "SP" => "São Paulo",
        To = "TO" => "Tocantins",
    }
}

/// The last prefix (first five digits) of each range, with the range's state. Each range starts after the previous one;
/// `None` marks unassigned prefixes.
const RANGES: [(&str, Option<State>); 32] = [
    ("00999", None),
    ("19999", Some(State::Sp)),
    ("28999", Some(State::Rj)),
    ("29999", Some(State::Es)),
    ("39999", Some(State::Mg)),
    ("48999", Some(State::Ba)),
    ("49999", Some(State::Se)),
    ("56999", Some(State::Pe)),
    ("57999", Some(State::Al)),
    ("58999", Some(State::Pb)),
    ("59999", Some(State::Rn)),
    ("63999", Some(State::Ce)),
    ("64999", Some(State::Pi)),
    ("65999", Some(State::Ma)),
    ("68899", Some(State::Pa)),
    ("68999", Some(State::Ap)),
    ("69299", Some(State::Am)),
    ("69399", Some(State::Rr)),
    ("69899", Some(State::Am)),
    ("69999", Some(State::Ac)),
    ("72799", Some(State::Df)),
    ("72999", Some(State::Go)),
    ("73699", Some(State::Df)),
    ("76799", Some(State::Go)),
    ("76999", Some(State::Ro)),
    ("77999", Some(State::To)),
    ("78899", Some(State::Mt)),
    ("78999", None),
    ("79999", Some(State::Ms)),
    ("87999", Some(State::Pr)),
    ("89999", Some(State::Sc)),
    ("99999", Some(State::Rs)),
];

impl Cep {
    pub fn parse(text: &str) -> Result<Self, CepError> {
        let bare = strip_mask(text);
        if bare.chars().count() != 8 {
            return Err(CepError::Length);
        }
        if !bare.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(CepError::Character);
        }
        Ok(Self(bare))
    }

    /// Without its mask.
    pub fn unmasked(&self) -> &str {
        &self.0
    }

    /// The state of the code; `None` if its range is unassigned.
    pub fn state(&self) -> Option<State> {
        let prefix = &self.0[..5];
        RANGES
            .iter()
            .find(|(last, _)| prefix <= *last)
            .and_then(|(_, state)| *state)
    }
}

/// `00000-000`.
impl fmt::Display for Cep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", &self.0[..5], &self.0[5..])
    }
}

parsed_text!(Cep, CepError);
