//! Reads the form that sets or removes the branding of a label. Reports all invalid fields at once.

use gateway_environment::time_zone::TimeZone;
use gateway_identity::email_address::{email_error, normalize_email};
use gateway_platform::settings::Tenant;

use super::bodies::{LABEL_INVALID, TenantForm};
use crate::edge::{FormErrors, named_fields};
use crate::problem::Result;
use crate::shared::phone::of_company;

const PRODUCT_NAME_CHARACTERS_MAX: usize = 40;
/// The limit of a DNS label (RFC 1035, section 2.3.4).
const LABEL_CHARACTERS_MAX: usize = 63;

pub enum TenantChange {
    Set(Tenant),
    Remove(String),
}

pub fn read(form: &TenantForm) -> Result<TenantChange> {
    let mut errors = FormErrors::default();
    let label = form.label.trim();
    if !is_label(label) {
        errors.add("label", LABEL_INVALID);
    }
    if form.remove == Some(true) {
        if label.is_empty() {
            errors.add("label", "A marca padrão não pode ser removida.");
        }
        for field in fields_besides_label(form) {
            errors.add(field, "Não informe este campo ao remover a marca.");
        }
        errors.finish()?;
        return Ok(TenantChange::Remove(label.to_owned()));
    }
    let product_name = non_empty(form.product_name.as_ref()).unwrap_or_default();
    let characters = product_name.chars().count();
    if characters == 0 {
        errors.add("product_name", "Informe o nome do produto.");
    } else if characters > PRODUCT_NAME_CHARACTERS_MAX || product_name.chars().any(char::is_control) {
        errors.add(
            "product_name",
            "O nome do produto deve ter até 40 caracteres, em uma linha.",
        );
    }
    let tenant = Tenant {
        label: label.to_owned(),
        product_name: product_name.to_owned(),
        theme_color: color(&mut errors, "theme_color", form.theme_color.as_ref()),
        highlight_color: color(&mut errors, "highlight_color", form.highlight_color.as_ref()),
        contact_email: email(&mut errors, form.contact_email.as_ref()),
        contact_phone: phone(&mut errors, "contact_phone", form.contact_phone.as_ref()),
        contact_whatsapp: phone(&mut errors, "contact_whatsapp", form.contact_whatsapp.as_ref()),
        time_zone: time_zone(&mut errors, form.time_zone.as_ref()),
    };
    errors.finish()?;
    Ok(TenantChange::Set(tenant))
}

fn fields_besides_label(form: &TenantForm) -> impl Iterator<Item = &'static str> {
    let fields = named_fields!(
        form,
        [
            product_name,
            theme_color,
            highlight_color,
            contact_email,
            contact_phone,
            contact_whatsapp,
            time_zone
        ]
    );
    fields
        .into_iter()
        .filter_map(|(field, value)| value.is_some().then_some(field))
}

/// An empty field counts as left out when branding is set. A removal refuses it (`fields_besides_label`).
fn non_empty(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

fn is_label(text: &str) -> bool {
    let valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.len() <= LABEL_CHARACTERS_MAX
        && text.chars().all(valid)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

fn color(errors: &mut FormErrors, field: &str, text: Option<&String>) -> String {
    let text = non_empty(text).unwrap_or_default().to_ascii_uppercase();
    let valid = text
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()));
    if !valid {
        errors.add(field, "Use uma cor no formato #RRGGBB.");
    }
    text
}

fn email(errors: &mut FormErrors, text: Option<&String>) -> Option<String> {
    let email = normalize_email(non_empty(text)?);
    if let Some(message) = email_error(&email) {
        errors.add("contact_email", message);
    }
    Some(email)
}

fn time_zone(errors: &mut FormErrors, text: Option<&String>) -> TimeZone {
    let Some(name) = non_empty(text) else {
        return TimeZone::UTC;
    };
    let zone = TimeZone::parse(name);
    if zone.is_none() {
        errors.add(
            "time_zone",
            "Deve ser um fuso horário IANA, como America/Sao_Paulo.",
        );
    }
    zone.unwrap_or(TimeZone::UTC)
}

fn phone(errors: &mut FormErrors, field: &str, text: Option<&String>) -> Option<String> {
    errors.validated(field, of_company(non_empty(text)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> TenantForm {
        TenantForm {
            label: "lojas".to_owned(),
            product_name: Some(" Lojas Pay ".to_owned()),
            theme_color: Some("#36be54".to_owned()),
            highlight_color: Some("#29FF00".to_owned()),
            contact_email: Some(String::new()),
            contact_phone: Some("+55 11 3333-4444".to_owned()),
            ..TenantForm::default()
        }
    }

    fn errors(form: &TenantForm) -> Vec<String> {
        match read(form) {
            Ok(_) => vec![],
            Err(problem) => problem.errors.into_keys().collect(),
        }
    }

    #[test]
    fn values_are_normalized() {
        let Ok(TenantChange::Set(tenant)) = read(&form()) else {
            panic!("the form is valid");
        };
        let expected = Tenant {
            label: "lojas".to_owned(),
            product_name: "Lojas Pay".to_owned(),
            theme_color: "#36BE54".to_owned(),
            highlight_color: "#29FF00".to_owned(),
            contact_email: None,
            contact_phone: Some("1133334444".to_owned()),
            contact_whatsapp: None,
            time_zone: TimeZone::UTC,
        };
        assert_eq!(tenant, expected);
    }

    #[test]
    fn all_invalid_fields_are_reported_at_once() {
        let text = |text: &str| Some(text.to_owned());
        let bad = TenantForm {
            label: "Lojas!".to_owned(),
            remove: None,
            product_name: text(" "),
            theme_color: text("verde"),
            highlight_color: None,
            contact_email: text("ajuda"),
            contact_phone: text("123"),
            contact_whatsapp: text("+1 415 555 2671"),
            time_zone: text("Brasília"),
        };
        let all = [
            "contact_email",
            "contact_phone",
            "contact_whatsapp",
            "highlight_color",
            "label",
            "product_name",
            "theme_color",
            "time_zone",
        ];
        assert_eq!(errors(&bad), all);
        for label in ["-lojas", "lojas-", "lo.jas", &"a".repeat(64)] {
            let label = label.to_owned();
            assert_eq!(errors(&TenantForm { label, ..form() }), ["label"]);
        }
        let product_name = Some("a".repeat(41));
        assert_eq!(
            errors(&TenantForm {
                product_name,
                ..form()
            }),
            ["product_name"]
        );
    }

    #[test]
    fn the_default_branding_can_be_changed_but_not_removed() {
        let label = String::new;
        assert!(matches!(
            read(&TenantForm {
                label: label(),
                ..form()
            }),
            Ok(TenantChange::Set(_))
        ));
        let removal = |label: String| TenantForm {
            label,
            remove: Some(true),
            ..TenantForm::default()
        };
        assert_eq!(errors(&removal(label())), ["label"]);
        let with_a_color = TenantForm {
            theme_color: Some(String::new()),
            ..removal("lojas".to_owned())
        };
        assert_eq!(errors(&with_a_color), ["theme_color"]);
        assert!(
            matches!(read(&removal("lojas".to_owned())), Ok(TenantChange::Remove(gone)) if gone == "lojas")
        );
    }
}
