//! Sessions and passwords.

mod device_cookies;
mod open_sessions;
mod password_changes;
mod passwords;
mod refresh;
mod sign_in;
