//! The spelling of e-mail addresses, and which can be written to.

use lettre::Address;

/// One spelling for one address.
pub fn normal_email(text: &str) -> String {
    text.trim().to_lowercase()
}

/// The columns' length (RFC 3696, erratum 1690).
const EMAIL_CHARACTERS_MAX: usize = 254;

/// What is wrong with an address that was typed, as `normal_email` spells it. What passes can be written to.
pub fn email_fault(email: &str) -> Option<&'static str> {
    if email.is_empty() {
        return Some("Email é requerido.");
    }
    let sound = email.len() <= EMAIL_CHARACTERS_MAX
        // No server of ours speaks SMTPUTF8.
        && email.is_ascii()
        && email
            .parse::<Address>()
            .is_ok_and(|address| has_public_domain(address.domain()));
    (!sound).then_some("Email inválido.")
}

/// A name with a dot between two parts. No number and no address in brackets: letters go to nobody's inner network.
fn has_public_domain(domain: &str) -> bool {
    let sound = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let top_level = domain.rsplit('.').next().unwrap_or_default();
    domain.contains('.') && domain.split('.').all(sound) && !top_level.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::email_fault;

    #[test]
    fn an_address_is_one_that_can_be_written_to() {
        for sound in [
            "ana@padaria.example",
            "ana.souza+loja@sub.padaria.com.br",
            "o'hara@x.io",
        ] {
            assert_eq!(email_fault(sound), None, "{sound}");
        }
        assert_eq!(email_fault(""), Some("Email é requerido."));
        let long = format!("{}@padaria.example", "a".repeat(260));
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
            &long,
        ] {
            assert_eq!(email_fault(wrong), Some("Email inválido."), "{wrong}");
        }
    }
}
