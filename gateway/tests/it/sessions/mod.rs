//! Sessions and passwords.

mod device_cookies;
mod open_sessions;
mod passwords;
mod sign_in;
