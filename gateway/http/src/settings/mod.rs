//! The settings that staff change: the panels' branding, and the dated settings of the platform.

pub mod acquirers;
pub mod bodies;
pub mod form;
pub mod logo;
pub mod platform;
pub mod staff;
