//! Reports over HTTP: figures by period, company and terminal, and who may see them.

mod agreement;
mod calls;
mod files;
mod history;
