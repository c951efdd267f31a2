//! Sends the e-mails that `gateway_identity::email_queue` adds: finds the reader, composes the texts, and gives them to
//! an SMTP server, or in development to a folder. Old e-mails are deleted.
//!
//! Who is told about a change is in `gateway_identity::notify`.

mod addressee;
mod adjustment;
mod brand;
mod company;
mod company_decision;
mod compose;
mod contact;
mod deliver;
mod hold;
mod late;
mod order;
mod outbox;
mod plan_change;
mod queue;
mod rendered;
mod report;
mod retention;
mod rule_change;
mod withdrawal;

pub use compose::brasilia_time;
pub use deliver::InvalidSmtpUrl;
pub use late::{LateEmail, emails_late_count, emails_late_list};
pub use outbox::{EmailOutbox, Mailing};
pub use queue::queue_stats;
pub use retention::delete_old_emails;
