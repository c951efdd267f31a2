//! E-mails: sending, links that confirm an address, and that the log shows no secrets of them.

mod confirmation;
mod log_silence;
mod sending;
