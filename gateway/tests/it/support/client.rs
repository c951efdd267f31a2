//! A client of the API, signed in as one user or not at all.

use std::net::SocketAddr;

use gateway_acquirers::calls::client_builder;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, redirect};
use serde_json::Value;

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    headers: HeaderMap,
}

/// One request without a client of the API.
pub async fn fetch(url: impl reqwest::IntoUrl) -> reqwest::Result<reqwest::Response> {
    client_builder().build()?.get(url).send().await
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The raw text if the body is not JSON, and null if there is no body.
    pub body: Value,
}

impl Client {
    pub fn new(addr: SocketAddr) -> Self {
        Self::of(addr, client_builder())
    }

    pub fn with_cookies(addr: SocketAddr) -> Self {
        Self::of(addr, client_builder().cookie_store(true))
    }

    fn of(addr: SocketAddr, http: reqwest::ClientBuilder) -> Self {
        let http = http.redirect(redirect::Policy::none()).build().expect("a client");
        Self {
            http,
            base: format!("http://{addr}"),
            headers: HeaderMap::new(),
        }
    }

    pub fn bearing(self, access_token: &str) -> Self {
        self.with("authorization", &format!("Bearer {access_token}"))
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_str(value).expect("a header's value"),
        );
        self
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PATCH, path, Some(body)).await
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let request = self
            .http
            .request(method, format!("{}{path}", self.base))
            .headers(self.headers.clone());
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        Answer::read(request.send().await.expect("an answer")).await
    }

    /// The body's bytes, for a file.
    pub async fn download(&self, path: &str) -> (u16, HeaderMap, Vec<u8>) {
        let request = self.http.get(format!("{}{path}", self.base));
        let response = request
            .headers(self.headers.clone())
            .send()
            .await
            .expect("an answer");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        (status, headers, response.bytes().await.expect("a body").to_vec())
    }

    /// Sends a file as the body.
    pub async fn send_file(&self, method: Method, path: &str, content: Vec<u8>) -> Answer {
        let request = self
            .http
            .request(method, format!("{}{path}", self.base))
            .headers(self.headers.clone());
        let response = request
            .header("content-type", "application/octet-stream")
            .body(content)
            .send()
            .await
            .expect("an answer");
        Answer::read(response).await
    }

    /// Sends a text as the body, under this content type.
    pub async fn post_text(&self, path: &str, content_type: &str, body: &str) -> Answer {
        let request = self
            .http
            .post(format!("{}{path}", self.base))
            .headers(self.headers.clone());
        let response = request
            .header("content-type", content_type)
            .body(body.to_owned())
            .send()
            .await
            .expect("an answer");
        Answer::read(response).await
    }
}

impl Answer {
    async fn read(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.expect("a body");
        let body = match serde_json::from_str(&text) {
            Ok(json) => json,
            Err(_) if text.is_empty() => Value::Null,
            Err(_) => Value::String(text),
        };
        Self {
            status,
            headers,
            body,
        }
    }

    /// The value at a JSON pointer.
    pub fn at(&self, pointer: &str) -> &Value {
        self.body
            .pointer(pointer)
            .unwrap_or_else(|| panic!("{pointer} is in {}", self.body))
    }

    pub fn text(&self, pointer: &str) -> &str {
        self.at(pointer)
            .as_str()
            .unwrap_or_else(|| panic!("{pointer} is a text in {}", self.body))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The `Set-Cookie` line of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let lines = self
            .headers
            .get_all("set-cookie")
            .into_iter()
            .filter_map(|line| line.to_str().ok());
        lines
            .into_iter()
            .find(|line| line.split('=').next() == Some(name))
    }
}
