//! What every test starts from: a database of its own, copied from a template that holds the migrations.

pub mod database;
