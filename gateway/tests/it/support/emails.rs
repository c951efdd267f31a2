//! The e-mails of a gateway without an SMTP server, read from its folder as a mail program would parse them.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::TestApp;

#[derive(Debug)]
pub struct ReceivedEmail {
    pub headers: String,
    pub text: String,
    pub html: String,
}

impl ReceivedEmail {
    pub fn read(raw: &str) -> Self {
        let raw = raw.replace("\r\n", "\n");
        let (headers, body) = raw.split_once("\n\n").expect("headers and a body");
        let boundary = between(headers, "boundary=\"", "\"");
        let parts: Vec<&str> = body.split(&format!("--{boundary}")).skip(1).collect();
        let part = |content_type: &str| {
            let found = parts.iter().find(|part| part.contains(content_type));
            decoded(found.unwrap_or_else(|| panic!("no part {content_type} in {raw}")))
        };
        assert!(headers.contains("multipart/alternative"), "{headers}");
        Self {
            headers: headers.to_owned(),
            text: part("text/plain"),
            html: part("text/html"),
        }
    }

    pub fn is_to(&self, email: &str) -> bool {
        let mut to = self.headers.lines().filter(|line| line.starts_with("To:"));
        to.any(|line| line.contains(email))
    }

    /// The address of its only link.
    pub fn link(&self) -> &str {
        let link = self.text.lines().find(|line| line.starts_with("http"));
        link.unwrap_or_else(|| panic!("no link in {}", self.text))
    }

    /// The text after the `=` of the link.
    pub fn code(&self) -> &str {
        self.link().split_once('=').expect("a code in the link").1
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).expect(before).1;
    rest.split_once(after).expect(after).0
}

fn decoded(part: &str) -> String {
    let (headers, body) = part.trim_start().split_once("\n\n").expect("a part's headers");
    let bytes = if headers.contains("base64") {
        STANDARD.decode(body.replace('\n', "").trim()).expect("base64")
    } else if headers.contains("quoted-printable") {
        unquoted(&body.replace("=\n", ""))
    } else {
        body.as_bytes().to_vec()
    };
    String::from_utf8(bytes).expect("UTF-8").replace("\r\n", "\n")
}

fn unquoted(text: &str) -> Vec<u8> {
    let mut bytes = vec![];
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'=' {
            bytes.extend(hex::decode(&after[..2]).expect("two hexadecimal digits"));
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    bytes
}

impl TestApp {
    /// The e-mails in the folder, in the order of their requests. Waits until none is queued.
    pub async fn received_emails(&self) -> Vec<ReceivedEmail> {
        self.until_no_email_waits().await;
        let Ok(folder) = fs::read_dir(self.outbox.path()) else {
            return vec![];
        };
        let mut files: Vec<_> = folder.map(|file| file.expect("a file").path()).collect();
        // The file names are UUIDs that begin with the time.
        files.sort();
        files
            .iter()
            .map(|file| ReceivedEmail::read(&fs::read_to_string(file).expect("an e-mail")))
            .collect()
    }

    pub async fn emails_to(&self, email: &str) -> Vec<ReceivedEmail> {
        let mut received_emails = self.received_emails().await;
        received_emails.retain(|received| received.is_to(email));
        received_emails
    }

    /// An e-mail to that address with this subject. E-mails about orders are not in the order of their requests.
    pub async fn email_about(&self, email: &str, subject: &str) -> ReceivedEmail {
        let subject = format!("Subject: {subject}\n");
        let mut found = self.emails_to(email).await;
        found.retain(|received| format!("{}\n", received.headers).contains(&subject));
        found.pop().unwrap_or_else(|| panic!("no e-mail with {subject}"))
    }

    /// The latest e-mail to that address.
    pub async fn last_email_to(&self, email: &str) -> ReceivedEmail {
        self.emails_to(email).await.pop().expect("an e-mail")
    }

    pub async fn until_no_email_waits(&self) {
        self.until_count("SELECT count(*) FROM mail WHERE status = 'waiting'", 0)
            .await;
    }

    /// The number of rows of a table, or of any text that can follow `FROM`.
    pub async fn rows(&self, from: &str) -> i64 {
        self.count(&format!("SELECT count(*) FROM {from}")).await
    }

    pub async fn text(&self, sql: &str) -> String {
        let client = self.app.state.pool.get().await.expect("a connection");
        let row = client.query_one(sql, &[]).await;
        row.unwrap_or_else(|error| panic!("{sql}: {error:?}")).get(0)
    }
}
