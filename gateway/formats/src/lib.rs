//! Formats of Brazilian payments: PIX codes, boletos, short codes.
//!
//! Pure: no SQL, no HTTP, no clock and no randomness. Dates and random bytes come from outside.

pub mod agreement;
pub mod boleto;
pub mod pix;
pub mod short_code;
mod text_types;
