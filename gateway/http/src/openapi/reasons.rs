//! The reasons for errors that the guard and the framework add to calls. The name is part of the name of the shared
//! answer in the document's components.

pub struct Reason {
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! reasons {
    ($($constant:ident $name:literal $text:literal;)+) => {
        $(pub const $constant: Reason = Reason { name: $name, text: $text };)+

        pub const ALL: &[Reason] = &[$($constant),+];
    };
}

reasons! {
    UNREADABLE "Unreadable" "The request's host, query or body is unreadable";
    NO_SESSION "NoSession" "The session is missing or expired";
    ROLE "Role" "The user's role may not make this call";
    ROLE_OR_CSRF_TOKEN "RoleOrCsrfToken"
        "The user's role may not make this call, or a request with cookies has no valid X-CSRF-Token";
    CSRF_TOKEN "CsrfToken" "A request with cookies has no valid X-CSRF-Token";
    PROVISIONAL_PASSWORD "ProvisionalPassword"
        "Or another user set the caller's password (type /problems/provisional-password)";
    UNKNOWN_ID "UnknownId" "The id in the path is unknown";
    OF_ANOTHER_COMPANY "UnknownOrOfAnotherCompany" "Unknown, or belongs to another company";
    SLOW_BODY "SlowBody" "The body did not arrive in time";
    IDEMPOTENCY_KEY_USED "IdempotencyKeyUsed" "The Idempotency-Key was used for another request";
    LARGE_BODY "LargeBody" "The body is too large";
    NOT_JSON "NotJson" "The body is not JSON";
    UNKNOWN_HOST "UnknownHost" "The host name does not belong to this installation";
    INVALID "Invalid" "Invalid values, by field";
    INVALID_OR_NO_COMPANY "InvalidOrNoCompany"
        "Invalid values, by field; or the user has several companies and the request names none";
    TOO_MANY_REQUESTS "TooManyRequests" "Too many requests from this caller: try again after Retry-After seconds";
    INTERNAL_ERROR "InternalError" "An internal error; the log has it under the request's id";
    UNAVAILABLE "Unavailable" "Temporarily unavailable: try again after Retry-After seconds";
}
