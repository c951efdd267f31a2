//! Uploaded files: received with limits, sent as attachments, and shown as images that this program has encoded again.
//!
//! No upload is ever sent as a page. A file is sent as an attachment under a content policy that allows nothing. An
//! image is encoded again from its pixels, so it has no metadata and nothing that a browser could take for markup.

pub mod download;
pub mod images;
pub mod pdf;
pub mod resize;
pub mod upload;
