//! Turns the framework's errors into problems: an unknown path or method, a body that is too large. Clients therefore
//! read one kind of error only. Panics become problems too: the log holds the text, and the client gets the request's
//! id.

use std::any::Any;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Response as HttpResponse, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::Problem;

pub async fn layer(request: Request, next: Next) -> Response {
    explained(next.run(request).await)
}

/// Returns the response, converted into a problem if it is an error in another format.
pub fn explained(response: Response) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    if !is_error || has_json_body(&response) {
        return response;
    }
    let mut problem = explain(status).into_response();
    // Keeps headers such as `Allow` of a 405.
    for (name, value) in response.headers() {
        if ![header::CONTENT_TYPE, header::CONTENT_LENGTH].contains(name) {
            problem.headers_mut().insert(name, value.clone());
        }
    }
    problem
}

/// Whether the answer is a problem or the JSON of `/readyz`. The framework's own errors have a plain text or no body.
fn has_json_body(response: &Response) -> bool {
    let content_type = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    content_type.is_some_and(|text| text.starts_with("application/"))
}

fn explain(status: StatusCode) -> Problem {
    let message = match status {
        StatusCode::NOT_FOUND => return Problem::not_found(),
        StatusCode::BAD_REQUEST => return Problem::unreadable(),
        StatusCode::METHOD_NOT_ALLOWED => "Este endereço não aceita este método.",
        StatusCode::PAYLOAD_TOO_LARGE => "Os dados enviados são grandes demais.",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "O corpo da requisição deve ser application/json.",
        StatusCode::REQUEST_TIMEOUT => "A conexão está lenta e os dados não chegaram. Tente de novo.",
        _ if status.is_server_error() => {
            return Problem {
                status,
                ..Problem::unexplained()
            };
        }
        _ => "Não foi possível fazer o que você pediu. Recarregue a página e tente de novo.",
    };
    Problem::new(status, message)
}

/// The answer to a request whose handler panicked.
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> HttpResponse<Body> {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    Problem::internal(format_args!(
        "a handler panicked: {}",
        message.unwrap_or("(no text)")
    ))
    .into_response()
}
