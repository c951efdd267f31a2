//! The panels' branding by host, which staff set.

use gateway_environment::time_zone::TimeZone;
use gateway_platform::settings::Tenant;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::form::{Declared, form, given, optional, refuse_null, required};
use crate::shared::schemas::TimeZoneSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct Settings {
    /// The default settings first, then by label.
    pub tenants: Vec<TenantSettings>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TenantSettings {
    /// The first label of the host names with these settings. Empty: the default for hosts whose label is not listed.
    #[schema(example = "lojas")]
    pub label: String,
    #[schema(example = "Lojas Pay")]
    pub product_name: String,
    /// The color of buttons and marks, as #RRGGBB.
    #[schema(example = "#36BE54")]
    pub theme_color: String,
    /// #RRGGBB.
    #[schema(example = "#29FF00")]
    pub highlight_color: String,
    #[schema(required = true, example = "ajuda@lojas.example")]
    pub contact_email: Option<String>,
    /// Digits, with the area code.
    #[schema(required = true, example = "1133334444")]
    pub contact_phone: Option<String>,
    /// Digits, with the area code.
    #[schema(required = true, example = "11999998888")]
    pub contact_whatsapp: Option<String>,
    /// The time zone of dates for users who have not chosen one.
    #[schema(value_type = TimeZoneSchema)]
    pub time_zone: TimeZone,
}

impl From<Tenant> for TenantSettings {
    fn from(tenant: Tenant) -> Self {
        Self {
            label: tenant.label,
            product_name: tenant.product_name,
            theme_color: tenant.theme_color,
            highlight_color: tenant.highlight_color,
            contact_email: tenant.contact_email,
            contact_phone: tenant.contact_phone,
            contact_whatsapp: tenant.contact_whatsapp,
            time_zone: tenant.time_zone,
        }
    }
}

form! {
    /// All settings of a label, or its removal.
    #[derive(Debug, Default)]
    pub struct TenantForm {
        /// The first label of the host names: lowercase letters, digits and hyphens. Empty for the default settings.
        #[example = "lojas"]
        label: String = required(given::<String, String>(), LABEL_INVALID),
        /// Removes the label and its logo. Its hosts get the default settings. Only `label` may be given with it.
        remove: Option<bool> = refuse_null(optional(given::<bool, bool>())),
        /// Required without `remove`. Up to 40 characters.
        #[example = "Lojas Pay"]
        product_name: Option<String> = text(),
        /// Required without `remove`.
        #[example = "#36BE54"]
        theme_color: Option<String> = color(),
        /// Required without `remove`.
        #[example = "#29FF00"]
        highlight_color: Option<String> = color(),
        #[example = "ajuda@lojas.example"]
        contact_email: Option<String> = text(),
        /// With the area code. Blanks, parentheses and hyphens are ignored.
        #[example = "1133334444"]
        contact_phone: Option<String> = text(),
        /// With the area code. Blanks, parentheses and hyphens are ignored.
        #[example = "11999998888"]
        contact_whatsapp: Option<String> = text(),
        /// An IANA time zone name; the default is UTC.
        #[example = "America/Sao_Paulo"]
        time_zone: Option<String> = text(),
    }
}

/// The error of a text that no host name begins with.
pub const LABEL_INVALID: &str =
    "Use até 63 letras minúsculas, números e hífens, sem hífen no início ou no fim.";

fn text() -> Declared<Option<String>> {
    optional(given::<String, String>())
}

fn color() -> Declared<Option<String>> {
    let pattern = Some("^#[0-9A-Fa-f]{6}$");
    optional(given::<String, String>().described(move |schema| schema.pattern(pattern)))
}
