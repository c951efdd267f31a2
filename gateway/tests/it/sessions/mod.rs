//! Sessions and passwords.

mod device_cookies;
mod open_sessions;
mod password_changes;
mod passwords;
mod refresh;
mod sign_in;

use gateway_identity::roles::SellerRole;

use crate::support::{TestApp, User};

/// The owner of a company.
async fn one_seller() -> (TestApp, User) {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let user = app.seller(&[(&company, SellerRole::Owner)]).await;
    (app, user)
}
