//! Reports over HTTP: figures by period, company and terminal, and who may see them.

mod agreement;
mod calls;
mod closing;
mod company_fees;
mod emails;
mod files;
mod history;
mod views;
