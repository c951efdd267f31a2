//! The settings that staff change: the panels' branding and logos, the dated settings of the platform, and the routes
//! of payments to acquirers.

pub mod acquirers;
pub mod bodies;
pub mod form;
pub mod logo;
pub mod platform;
pub mod staff;
