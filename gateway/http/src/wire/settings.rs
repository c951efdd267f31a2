//! The panels' looks by host, as staff set them.

use gateway_environment::time_zone::TimeZone;
use gateway_platform::back_office::Tenant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::schemas::TimeZoneSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct Settings {
    /// The one of every host first, then by label.
    pub tenants: Vec<TenantSettings>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TenantSettings {
    /// The first label of the host names that look so; empty for every host whose own label is not listed.
    #[schema(example = "lojas")]
    pub label: String,
    #[schema(example = "Lojas Pay")]
    pub product_name: String,
    #[schema(example = "#36BE54")]
    pub theme_color: String,
    #[schema(example = "#29FF00")]
    pub highlight_color: String,
    #[schema(required = true, example = "ajuda@lojas.example")]
    pub contact_email: Option<String>,
    /// Digits with area code.
    #[schema(required = true, example = "1133334444")]
    pub contact_phone: Option<String>,
    #[schema(required = true, example = "11999998888")]
    pub contact_whatsapp: Option<String>,
    /// Of the dates of people who chose no zone of their own.
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

/// One label's settings, all of them; or its removal.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct TenantForm {
    #[schema(required = true, nullable = false, example = "lojas")]
    pub label: Option<String>,
    /// Removes the label: its hosts look like every other one again. No other field may be given with it.
    #[serde(default)]
    pub remove: bool,
    #[schema(example = "Lojas Pay")]
    pub product_name: Option<String>,
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$", example = "#36BE54")]
    pub theme_color: Option<String>,
    #[schema(pattern = "^#[0-9A-Fa-f]{6}$", example = "#29FF00")]
    pub highlight_color: Option<String>,
    #[schema(example = "ajuda@lojas.example")]
    pub contact_email: Option<String>,
    /// With area code; a mask doesn't matter.
    #[schema(example = "1133334444")]
    pub contact_phone: Option<String>,
    #[schema(example = "11999998888")]
    pub contact_whatsapp: Option<String>,
    /// Of the IANA database; UTC where it is left out.
    #[schema(example = "America/Sao_Paulo")]
    pub time_zone: Option<String>,
}
