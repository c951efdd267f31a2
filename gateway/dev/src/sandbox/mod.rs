//! A simulator of acquirers and of a bank for trying the platform: a separate HTTP server in the same binary. It makes
//! sales, charges and refunds like acquirers, and payouts like a bank. Test cards and amounts select outcomes, and
//! notices over HTTP report them to the gateway.
//!
//! It does not use the gateway's database. It is not for production, because it accepts sales without authentication.

pub mod acquirers;
pub mod bank;
mod delivery;
mod facts;
mod front_page;
mod json_lines;
pub mod names;
mod outcomes;
pub mod postal_codes;
mod refunds;
mod sales;
mod server;
mod stream;
mod terminals;

pub use acquirers::{ChargeBook, ChargeOptions, PastCharge, PastMethod};
pub use bank::BankOptions;
pub use delivery::{Deliveries, Delivery, DeliveryStatus, ReceivingGateway};
pub use facts::{FactsRequest, FactsResponse, ReversalNotice};
pub use outcomes::Outcome;
pub use sales::{SaleRequest, SaleResponse};
pub use server::{Sandbox, SandboxOptions};
pub use stream::{StreamRequest, Target};
