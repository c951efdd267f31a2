//! Requests and responses of sign-in, refresh and the CSRF token.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::account::bodies::profile::{Admin, Seller};

// The fields are optional in Rust so that the 422 names a missing one.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SignIn {
    #[schema(required = true, nullable = false, example = "ana@padaria.example")]
    pub email: Option<String>,
    #[schema(required = true, nullable = false, example = "correct horse battery staple")]
    pub password: Option<String>,
}

/// Browsers leave the body out and send the cookie.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct RefreshToken {
    #[schema(nullable = false, example = "rt_0f8fad5bd9cb469fa16570867728950e.3.Zm9v")]
    pub refresh_token: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    /// A JWT that is valid for 15 minutes.
    #[schema(example = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.e30.c2ln")]
    pub access_token: String,
    /// Valid for 30 days and for one use.
    #[schema(example = "rt_0f8fad5bd9cb469fa16570867728950e.3.Zm9v")]
    pub refresh_token: String,
    pub seller: Seller,
}

#[derive(Serialize, ToSchema)]
pub struct AdminSignedIn {
    /// A JWT that is valid for 15 minutes.
    pub access_token: String,
    /// Valid for 30 days and for one use.
    pub refresh_token: String,
    pub admin: Admin,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CsrfToken {
    /// The value for the header X-CSRF-Token.
    #[serde(rename = "csrfToken")]
    #[schema(example = "u0h1…")]
    pub csrf_token: String,
}
