//! An acquirer and a bank to try the platform with: a separate HTTP server in the same binary, which takes sales as a
//! card machine or a PIX charge would, refunds as an acquirer and payouts as a bank would, decides them by test numbers
//! and amounts, and tells the gateway by signed notices over HTTP.
//!
//! It knows the gateway's address and the providers' secrets, and nothing of its database; it speaks as any of the
//! eight providers. Not for production: it takes sales from whoever asks.

pub mod bank;
mod delivery;
mod facts;
mod outcomes;
pub mod refunds;
mod sales;
mod server;
mod stream;
mod welcome;

pub use bank::BankOptions;
pub use delivery::{Deliveries, Delivery, DeliveryStatus, Gateway};
pub use facts::{Fact, FactsRequest, FactsResponse};
pub use outcomes::Outcome;
pub use sales::{SaleRequest, SaleResponse};
pub use server::{Sandbox, SandboxOptions};
pub use stream::{StreamRequest, Target};
