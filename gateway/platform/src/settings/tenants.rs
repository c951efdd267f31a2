//! Tenants: the panels' branding and support contacts, by the first label of the host name. Tenants share companies,
//! users and data.

use gateway_environment::time_zone::TimeZone;
use serde_json::{Value, json};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};

/// The `label` is empty for the tenant of all hosts whose label has no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    pub label: String,
    pub product_name: String,
    /// The color of buttons and marks, such as `#36BE54`. `highlight_color` has the same format.
    pub theme_color: String,
    pub highlight_color: String,
    pub contact_email: Option<String>,
    /// Digits with the area code.
    pub contact_phone: Option<String>,
    pub contact_whatsapp: Option<String>,
    /// The time zone of dates for users who chose none.
    pub time_zone: TimeZone,
}

impl Tenant {
    /// The branding if the database has none.
    pub fn default_branding() -> Self {
        Self {
            label: String::new(),
            product_name: "Razão".to_owned(),
            theme_color: "#36BE54".to_owned(),
            highlight_color: "#29FF00".to_owned(),
            contact_email: None,
            contact_phone: None,
            contact_whatsapp: None,
            time_zone: TimeZone::UTC,
        }
    }

    fn from_row(row: &Row) -> Self {
        Self {
            label: row.get(0),
            product_name: row.get(1),
            theme_color: row.get(2),
            highlight_color: row.get(3),
            contact_email: row.get(4),
            contact_phone: row.get(5),
            contact_whatsapp: row.get(6),
            time_zone: TimeZone::parse(row.get(7)).unwrap_or(TimeZone::UTC),
        }
    }

    /// The fields that differ from the other tenant's, or all fields if there is none. For the audit log.
    pub fn changed_fields(&self, other: Option<&Self>) -> Value {
        let mut fields = self.fields();
        if let (Some(fields), Some(other)) = (fields.as_object_mut(), other.map(Self::fields)) {
            fields.retain(|name, value| other[name] != *value);
        }
        fields
    }

    fn fields(&self) -> Value {
        json!({
            "product_name": self.product_name,
            "theme_color": self.theme_color,
            "highlight_color": self.highlight_color,
            "contact_email": self.contact_email,
            "contact_phone": self.contact_phone,
            "contact_whatsapp": self.contact_whatsapp,
            "time_zone": self.time_zone,
        })
    }
}

macro_rules! columns {
    () => {
        "label, product_name, theme_color, highlight_color, contact_email, contact_phone, contact_whatsapp,
         time_zone"
    };
}

/// The tenant of a host's label, else the tenant of all other hosts, else the default branding.
pub async fn tenant_of(client: &impl GenericClient, label: &str) -> Result<Tenant, Error> {
    let rows = client
        .query_typed(
            concat!(
                "SELECT ",
                columns!(),
                " FROM tenant WHERE label IN ($1, '') ORDER BY label DESC LIMIT 1"
            ),
            &[(&label, Type::TEXT)],
        )
        .await?;
    Ok(rows
        .first()
        .map_or_else(Tenant::default_branding, Tenant::from_row))
}

/// Whether a tenant has this label of a host name.
pub async fn tenant_exists(client: &impl GenericClient, label: &str) -> Result<bool, Error> {
    let row = client
        .query_typed_one(
            "SELECT EXISTS (SELECT FROM tenant WHERE label = $1 AND label <> '')",
            &[(&label, Type::TEXT)],
        )
        .await?;
    row.try_get(0)
}

/// All tenants. The one with the empty label comes first.
pub async fn tenants_all(client: &impl GenericClient) -> Result<Vec<Tenant>, Error> {
    let rows = client
        .query_typed(concat!("SELECT ", columns!(), " FROM tenant ORDER BY label"), &[])
        .await?;
    Ok(rows.iter().map(Tenant::from_row).collect())
}

/// The tenant's row, locked until the end of the transaction.
pub async fn tenant_locked(client: &impl GenericClient, label: &str) -> Result<Option<Tenant>, Error> {
    let rows = client
        .query_typed(
            concat!("SELECT ", columns!(), " FROM tenant WHERE label = $1 FOR UPDATE"),
            &[(&label, Type::TEXT)],
        )
        .await?;
    Ok(rows.first().map(Tenant::from_row))
}

pub async fn tenant_put(client: &impl GenericClient, tenant: &Tenant) -> Result<(), Error> {
    let zone = tenant.time_zone.as_str();
    let texts: [&(dyn ToSql + Sync); 8] = [
        &tenant.label,
        &tenant.product_name,
        &tenant.theme_color,
        &tenant.highlight_color,
        &tenant.contact_email,
        &tenant.contact_phone,
        &tenant.contact_whatsapp,
        &zone,
    ];
    client
        .query_typed(
            concat!(
                "INSERT INTO tenant (",
                columns!(),
                ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                 ON CONFLICT (label) DO UPDATE SET
                     product_name = excluded.product_name, theme_color = excluded.theme_color,
                     highlight_color = excluded.highlight_color, contact_email = excluded.contact_email,
                     contact_phone = excluded.contact_phone, contact_whatsapp = excluded.contact_whatsapp,
                     time_zone = excluded.time_zone"
            ),
            &texts.map(|text| (text, Type::TEXT)),
        )
        .await
        .map(|_| ())
}

pub async fn tenant_remove(client: &impl GenericClient, label: &str) -> Result<(), Error> {
    client
        .query_typed("DELETE FROM tenant WHERE label = $1", &[(&label, Type::TEXT)])
        .await
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_audit_log_names_only_the_changed_fields() {
        let (before, mut after) = (Tenant::default_branding(), Tenant::default_branding());
        after.product_name = "Lojas".to_owned();
        after.contact_phone = Some("1133334444".to_owned());
        assert_eq!(
            after.changed_fields(Some(&before)),
            json!({ "product_name": "Lojas", "contact_phone": "1133334444" })
        );
        assert_eq!(
            before.changed_fields(Some(&after)),
            json!({ "product_name": "Razão", "contact_phone": null })
        );
        assert_eq!(before.changed_fields(Some(&before)), json!({}));
        assert_eq!(before.changed_fields(None)["theme_color"], "#36BE54");
    }
}
