//! Sessions and passwords.

mod device_cookies;
mod open_sessions;
mod password_changes;
mod passwords;
mod rate_limits;
mod refresh;
mod shared_limits;
mod sign_in;

use gateway_identity::roles::SellerRole;
use serde_json::json;

use crate::support::{Client, PASSWORD, TestApp, User};

/// The owner of a company.
async fn one_seller() -> (TestApp, User) {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let user = app.seller(&[(&company, SellerRole::Owner)]).await;
    (app, user)
}

/// A browser in which the user has signed in.
async fn signed_in_browser(app: &TestApp, user: &User) -> Client {
    let browser = app.browser_for(user);
    let form = json!({ "email": user.email, "password": PASSWORD });
    assert_eq!(browser.post(user.sign_in_path(), form).await.status, 200);
    browser
}
