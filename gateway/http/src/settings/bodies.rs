//! The panels' branding by host, which staff set.

use gateway_environment::time_zone::TimeZone;
use gateway_platform::settings::Tenant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

/// All settings of a label, or its removal.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct TenantForm {
    /// The first label of the host names: lowercase letters, digits and hyphens. Empty for the default settings.
    #[schema(required = true, nullable = false, example = "lojas")]
    pub label: Option<String>,
    /// Removes the label and its logo. Its hosts get the default settings. Only `label` may be given with it.
    #[serde(default)]
    pub remove: bool,
    /// Required without `remove`. Up to 40 characters.
    #[schema(example = "Lojas Pay")]
    pub product_name: Option<String>,
    /// Required without `remove`.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$", example = "#36BE54")]
    pub theme_color: Option<String>,
    /// Required without `remove`.
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$", example = "#29FF00")]
    pub highlight_color: Option<String>,
    #[schema(example = "ajuda@lojas.example")]
    pub contact_email: Option<String>,
    /// With the area code. Blanks, parentheses and hyphens are ignored.
    #[schema(example = "1133334444")]
    pub contact_phone: Option<String>,
    /// With the area code. Blanks, parentheses and hyphens are ignored.
    #[schema(example = "11999998888")]
    pub contact_whatsapp: Option<String>,
    /// An IANA time zone name; the default is UTC.
    #[schema(example = "America/Sao_Paulo")]
    pub time_zone: Option<String>,
}
