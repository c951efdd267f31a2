//! Validates the fields of a user. The error texts are the same on every screen.
//!
//! Each function takes the typed text and returns its normal form. A unique index of the table rejects the e-mail
//! address of another user.

use ledger_domain::documents::Cpf;

use crate::credentials::passwords::new_password_error;
use crate::email_address::{email_error, normalize_email};
use crate::roles::AdminRole;

/// The error text for the user, in Portuguese.
pub type ValidationMessage = &'static str;

const NAME_CHARACTERS_MAX: usize = 120;

pub fn name(text: &str) -> Result<String, ValidationMessage> {
    let name = text.trim();
    if name.is_empty() {
        return Err("Nome é requerido.");
    }
    // Unicode does not count the separators of lines and paragraphs as control characters. The column's constraint
    // (`[[:cntrl:]]`) does in some locales.
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if name.chars().count() > NAME_CHARACTERS_MAX || name.chars().any(breaks) {
        return Err("O nome deve ter até 120 caracteres, em uma linha.");
    }
    Ok(name.to_owned())
}

pub fn email(text: &str) -> Result<String, ValidationMessage> {
    let email = normalize_email(text);
    match email_error(&email) {
        Some(message) => Err(message),
        None => Ok(email),
    }
}

/// Never trimmed, because a space at the end may be part of the password.
pub fn password(text: &str) -> Result<&str, ValidationMessage> {
    match new_password_error(text) {
        Some(message) => Err(message),
        None => Ok(text),
    }
}

/// Returns the digits without the mask.
pub fn cpf(text: &str) -> Result<String, ValidationMessage> {
    if text.trim().is_empty() {
        return Err("CPF é requerido.");
    }
    Cpf::parse(text)
        .map(|cpf| cpf.unmasked().to_owned())
        .map_err(|_| "CPF inválido.")
}

/// The roles of a member of staff, in the order of `AdminRole::ALL` and without duplicates.
pub fn admin_roles(named: &[String]) -> Result<Vec<AdminRole>, ValidationMessage> {
    if named.is_empty() {
        return Err(GROUP_MISSING);
    }
    if !named.iter().all(|name| AdminRole::parse(name).is_ok()) {
        return Err(GROUP_UNKNOWN);
    }
    let wanted = |role: &&AdminRole| named.iter().any(|name| name == role.as_str());
    Ok(AdminRole::ALL.iter().filter(wanted).copied().collect())
}

pub const GROUP_MISSING: ValidationMessage = "Selecione o grupo.";
pub const GROUP_UNKNOWN: ValidationMessage = "Grupo desconhecido.";
pub const COMPANY_MISSING: ValidationMessage = "Selecione pelo menos uma empresa";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_of_up_to_120_characters() {
        assert_eq!(name("  Ana Souza "), Ok("Ana Souza".to_owned()));
        assert_eq!(name(" "), Err("Nome é requerido."));
        assert!(name(&"á".repeat(120)).is_ok() && name(&"á".repeat(121)).is_err());
        assert!(name("Ana\nSouza").is_err() && name("Ana\u{2028}Souza").is_err());
    }

    #[test]
    fn an_address_has_one_form() {
        assert_eq!(
            email(" Ana.Souza+loja@Padaria.EXAMPLE "),
            Ok("ana.souza+loja@padaria.example".to_owned())
        );
        assert_eq!(email(" "), Err("Email é requerido."));
        assert_eq!(email("ana@padaria"), Err("Email inválido."));
    }

    #[test]
    fn a_password_is_counted_in_characters_and_never_trimmed() {
        assert_eq!(password(""), Err("Senha é requerida."));
        assert_eq!(
            password("ção1234"),
            Err("A senha deve ter pelo menos 8 caracteres")
        );
        assert_eq!(password("ção12345"), Ok("ção12345"));
        assert_eq!(password("       x"), Ok("       x"));
        assert!(password(&"ç".repeat(128)).is_ok());
        assert_eq!(
            password(&"ç".repeat(129)),
            Err("A senha deve ter até 128 caracteres")
        );
    }

    #[test]
    fn a_cpf_needs_valid_check_digits_and_a_cnpj_is_refused() {
        assert_eq!(cpf("529.982.247-25"), Ok("52998224725".to_owned()));
        assert_eq!(cpf(" "), Err("CPF é requerido."));
        for bad in ["52998224726", "11111111111", "11222333000181", "5299822472"] {
            assert_eq!(cpf(bad), Err("CPF inválido."), "{bad}");
        }
    }
}
