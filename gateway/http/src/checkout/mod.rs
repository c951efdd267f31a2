//! The checkout of payment links: placing orders, further attempts, the status of an order, and its boleto.
//!
//! These calls have no session and no cookies. An order is known by its reference, which is random. No answer has data
//! of the buyer, except the boleto's page.

mod answer;
pub mod attempts;
mod body;
pub mod boleto;
pub mod choices;
pub mod forms;
mod offer;
pub mod order;
pub mod status;
pub mod status_bodies;
pub mod stream;

pub use offer::{Offered, offered};
