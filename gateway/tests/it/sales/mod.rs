//! Sales: lists, details, fees, and the days of a time zone.

mod list;
mod names;
mod pricing;
mod time_zones;
