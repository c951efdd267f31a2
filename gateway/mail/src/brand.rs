//! The tenant's branding in e-mails.

use gateway_environment::config::tenant_label;
use gateway_platform::settings::tenant_of;
use tokio_postgres::{Error, GenericClient};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brand {
    pub product_name: String,
    /// `#RRGGBB`.
    pub theme_color: String,
    /// Where users can ask for help, if the tenant has set it.
    pub contact_email: Option<String>,
}

impl Brand {
    pub async fn of_panel(client: &impl GenericClient, panel_url: &str) -> Result<Self, Error> {
        let host = panel_url.split_once("://").map_or(panel_url, |(_, host)| host);
        let tenant = tenant_of(client, &tenant_label(host)).await?;
        Ok(Self {
            product_name: tenant.product_name,
            theme_color: tenant.theme_color,
            contact_email: tenant.contact_email,
        })
    }

    /// Black or white, by the contrast to the theme's color. Both have the same contrast at a relative luminance of
    /// 0.179 (WCAG 2.2). WCAG raises each component to the power of 2.4; its square is close enough here. The luminance
    /// is computed in integers, as a multiple of 1 / (10,000 · 255²).
    pub fn text_color(&self) -> &'static str {
        let component = |start: usize| {
            let digits = self.theme_color.get(start..start + 2);
            digits
                .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                .unwrap_or(0)
        };
        let [red, green, blue] = [component(1), component(3), component(5)];
        let luminance = 2_126 * red * red + 7_152 * green * green + 722 * blue * blue;
        if luminance > 1_790 * 255 * 255 {
            "#000000"
        } else {
            "#FFFFFF"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_black_on_light_colors_and_white_on_dark_ones() {
        let on = |color: &str| {
            let brand = Brand {
                product_name: "Razão".to_owned(),
                theme_color: color.to_owned(),
                contact_email: None,
            };
            brand.text_color()
        };
        for light in ["#FFFFFF", "#36BE54", "#29FF00", "#FFCC00", "#999999"] {
            assert_eq!(on(light), "#000000", "{light}");
        }
        for dark in ["#000000", "#123456", "#8B0000", "#0000FF", "#555555"] {
            assert_eq!(on(dark), "#FFFFFF", "{dark}");
        }
    }
}
