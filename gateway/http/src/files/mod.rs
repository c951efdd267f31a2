//! Uploaded files: received with limits, sent as attachments, and shown as images that this program has encoded again.
//!
//! No upload is ever sent as a page. A file is an attachment under a policy that allows nothing, and an image consists of
//! the decoded pixels only: without metadata, and without anything that a browser could take for markup.

pub mod download;
pub mod images;
pub mod resize;
pub mod upload;
