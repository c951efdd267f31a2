//! The checkout of payment links: placing orders, further attempts, the status of an order, and its boleto.
//!
//! These calls need no session. The reference of an order is the only credential for its status, so the reference is
//! random. Only the PDF of the boleto has data of the buyer; no other answer has.

mod answer;
pub mod attempts;
mod body;
pub mod boleto;
mod card_check;
pub mod choices;
pub mod forms;
mod offer;
pub mod order;
pub mod status;
pub mod status_bodies;
pub mod stream;

pub use offer::{Offered, offered};
