//! The normal form of e-mail addresses, and the check of their syntax. An address passes only if the platform's mailer
//! sends to it: what it would refuse later is refused here.

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};
use lettre::Address;

/// Trims and lowercases, and writes the domain in ASCII (Punycode, RFC 5891), so that each address has one form. The
/// domain of an invalid address stays as it is.
pub fn normalize_email(text: &str) -> String {
    let email = text.trim().to_lowercase();
    match email.rsplit_once('@') {
        Some((local, domain)) if !domain.is_ascii() => match domain_in_ascii(domain) {
            Some(domain) => format!("{local}@{domain}"),
            None => email,
        },
        _ => email,
    }
}

fn domain_in_ascii(domain: &str) -> Option<String> {
    let ascii = Uts46::new().to_ascii(
        domain.as_bytes(),
        AsciiDenyList::STD3,
        Hyphens::CheckFirstLast,
        DnsLength::Verify,
    );
    ascii.ok().map(|domain| domain.into_owned())
}

/// The longest address that SMTP can carry (RFC 3696, erratum 1690). The columns of addresses have the same limit.
const EMAIL_CHARACTERS_MAX: usize = 254;
/// RFC 5321, 4.5.3.1.1.
const LOCAL_CHARACTERS_MAX: usize = 64;
/// RFC 1035, 2.3.4.
const LABEL_CHARACTERS_MAX: usize = 63;

const INVALID: &str = "Email inválido.";

/// The error text for an invalid address; `None` if it is valid. Expects the result of `normalize_email`. A valid
/// address may have no mailbox.
pub fn email_error(email: &str) -> Option<&'static str> {
    if email.is_empty() {
        return Some("Email é requerido.");
    }
    let Some((local, domain)) = email.rsplit_once('@') else {
        return Some(INVALID);
    };
    let is_valid = email.len() <= EMAIL_CHARACTERS_MAX
        && has_public_domain(domain)
        && local.len() <= LOCAL_CHARACTERS_MAX
        && email.parse::<Address>().is_ok();
    if local.chars().any(char::is_alphabetic) && !local.is_ascii() {
        // Such an address needs a mail server with SMTPUTF8 (RFC 6531).
        return Some("Email inválido: antes do @, use letras sem acento.");
    }
    if local.contains('"') {
        return Some("Email inválido: antes do @, não use aspas.");
    }
    (!is_valid || !is_dot_atom(local)).then_some(INVALID)
}

/// The part before the `@` in its usual form (RFC 5322, 3.2.3). The quoted form may contain any character. Hardly a
/// mailbox has it, and the mailer does not write it.
fn is_dot_atom(local: &str) -> bool {
    let is_atom_character = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    let is_atom = |atom: &str| !atom.is_empty() && atom.chars().all(is_atom_character);
    local.split('.').all(is_atom)
}

/// Refuses IP addresses and names without a dot, because they could name hosts of the internal network. A name that
/// resolves to an internal address is not detected.
fn has_public_domain(domain: &str) -> bool {
    let valid = |label: &str| {
        (1..=LABEL_CHARACTERS_MAX).contains(&label.len())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let top_level = domain.rsplit('.').next().unwrap_or_default();
    domain.contains('.') && domain.split('.').all(valid) && !top_level.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{EMAIL_CHARACTERS_MAX, INVALID, email_error, normalize_email};

    #[test]
    fn an_address_needs_a_valid_local_part_and_a_public_domain() {
        for valid in [
            "ana@padaria.example",
            "ana.souza+loja@sub.padaria.com.br",
            "o'hara@x.io",
            "a&b=c@x-y.io",
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
        let long_local = format!("{}@x.com", "a".repeat(65));
        for wrong in [
            "ana",
            "ana@",
            "@x.com",
            "ana@padaria",
            "a b@x.com",
            "ana@x..com",
            "ana@x.com\r\nbcc: b@x.com",
            "ana@[10.0.0.1]",
            "ana@10.0.0.1",
            "ana@-x.com",
            "ana@x-.com",
            ".ana@x.com",
            "ana.@x.com",
            "a..b@x.com",
            "a@b@x.com",
            "ana<ana@x.com",
            "ana,bia@x.com",
            &too_long,
            &long_local,
        ] {
            assert_eq!(email_error(wrong), Some(INVALID), "{wrong}");
        }
    }

    #[test]
    fn the_refusal_names_accents_and_quotes_before_the_at_sign() {
        let accents = Some("Email inválido: antes do @, use letras sem acento.");
        for wrong in ["joão@padaria.example", "josé.silva@x.com", "анна@x.com"] {
            assert_eq!(email_error(&normalize_email(wrong)), accents, "{wrong}");
        }
        let quotes = Some("Email inválido: antes do @, não use aspas.");
        for wrong in [r#""a b"@x.com"#, r#""ana"@x.com"#, r#""a@b"@x.com"#] {
            assert_eq!(email_error(wrong), quotes, "{wrong}");
        }
    }

    /// The first and the last but one are examples of others, who state their Punycode.
    #[test]
    fn a_domain_with_letters_outside_ascii_is_stored_in_punycode() {
        for (typed, stored) in [
            (" Ana@Bücher.example ", "ana@xn--bcher-kva.example"),
            ("ana@AÇÃO.com.br", "ana@xn--ao-siap.com.br"),
            // The same word with combining accents.
            ("ana@ac\u{327}a\u{303}o.com.br", "ana@xn--ao-siap.com.br"),
            ("ana@ｐａｄａｒｉａ．example", "ana@padaria.example"),
            ("ana@faß.de", "ana@xn--fa-hia.de"),
            ("ana@xn--ao-siap.com.br", "ana@xn--ao-siap.com.br"),
        ] {
            let normal = normalize_email(typed);
            assert_eq!((normal.as_str(), email_error(&normal)), (stored, None), "{typed}");
            assert_eq!(normalize_email(&normal), normal);
        }
        for wrong in [
            "ana@pada ria.ção",
            "ana@ação",
            "ana@-ação.com",
            "ana@ação..com",
            "ana@\u{202e}ação.com",
        ] {
            assert_eq!(email_error(&normalize_email(wrong)), Some(INVALID), "{wrong}");
        }
    }
}
