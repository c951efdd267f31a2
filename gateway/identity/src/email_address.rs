//! The normal form of e-mail addresses, and the check of their syntax.

use lettre::Address;

/// Trims and lowercases, so that each address has one form.
pub fn normalize_email(text: &str) -> String {
    text.trim().to_lowercase()
}

/// The longest address that SMTP can carry (RFC 3696, erratum 1690). The columns of addresses have the same limit.
const EMAIL_CHARACTERS_MAX: usize = 254;

/// The error text for an invalid address; `None` if it is valid. Expects the result of `normalize_email`. A valid
/// address may have no mailbox.
pub fn email_error(email: &str) -> Option<&'static str> {
    if email.is_empty() {
        return Some("Email é requerido.");
    }
    let valid = email.len() <= EMAIL_CHARACTERS_MAX
        // Other addresses need a mail server with SMTPUTF8.
        && email.is_ascii()
        && email
            .parse::<Address>()
            .is_ok_and(|address| has_public_domain(address.domain()));
    (!valid).then_some("Email inválido.")
}

/// Refuses IP addresses and names without a dot, because they could name hosts of the internal network. A name that
/// resolves to an internal address is not detected.
fn has_public_domain(domain: &str) -> bool {
    let valid = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let top_level = domain.rsplit('.').next().unwrap_or_default();
    domain.contains('.') && domain.split('.').all(valid) && !top_level.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{EMAIL_CHARACTERS_MAX, email_error};

    #[test]
    fn an_address_needs_a_valid_local_part_and_a_public_domain() {
        for valid in [
            "ana@padaria.example",
            "ana.souza+loja@sub.padaria.com.br",
            "o'hara@x.io",
        ] {
            assert_eq!(email_error(valid), None, "{valid}");
        }
        assert_eq!(email_error(""), Some("Email é requerido."));
        let label = "a".repeat(63);
        let longest = format!("x@{label}.{label}.{label}.{}", "a".repeat(60));
        assert_eq!(
            (longest.len(), email_error(&longest)),
            (EMAIL_CHARACTERS_MAX, None)
        );
        let too_long = format!("x{longest}");
        for wrong in [
            "ana",
            "ana@",
            "@x.com",
            "ana@padaria",
            "a b@x.com",
            "ana@x..com",
            "ana@x.com\r\nbcc: b@x.com",
            "joão@padaria.example",
            "ana@[10.0.0.1]",
            "ana@10.0.0.1",
            &too_long,
        ] {
            assert_eq!(email_error(wrong), Some("Email inválido."), "{wrong}");
        }
    }
}
