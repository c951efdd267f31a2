//! Sales: lists, details, fees, and the days of a time zone.

mod list;
mod pricing;
mod time_zones;
