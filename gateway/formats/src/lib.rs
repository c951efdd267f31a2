//! Formats of Brazilian payments, and of the text in them. Pure: no SQL, no HTTP, no clock and no randomness. Dates and random bytes come
//! from outside.

pub mod agreement;
pub mod bars;
pub mod boleto;
pub mod boleto_pdf;
pub mod card_numbers;
mod pdf;
pub mod phones;
pub mod picture;
pub mod pix;
pub mod plain_text;
pub mod qr;
#[cfg(test)]
mod reading;
pub mod receipt_pdf;
pub mod settlement_files;
pub mod short_code;
mod text_types;
