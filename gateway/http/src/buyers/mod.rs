//! The buyers of payment links: the buyer of a sale, erasing buyers' data, and card forms that card testing closed.

pub mod bodies;
pub mod card_closures;
pub mod card_limits;
pub mod erase;
pub mod sale;
