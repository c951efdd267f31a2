//! The audit of the log and of the read models: it finds every kind of tampering.

mod replay;
mod replay_rows;
mod tampering;
mod tree_heads;
