//! The settings of the whole platform: the branding of the panels, and dated settings that decisions use.

pub mod change;
pub mod platform;
pub mod records;
pub mod tenants;

pub use platform::{
    PlatformSettings, SettingKey, platform_settings_at, rental_prices, returned_withdrawal_fee_at,
};
pub use tenants::{Tenant, tenant_exists, tenant_locked, tenant_of, tenant_put, tenant_remove, tenants_all};
