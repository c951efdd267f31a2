//! E-mails: sending, links that confirm an address, and what the log shows of them.

mod confirmation;
mod log_silence;
mod sending;
