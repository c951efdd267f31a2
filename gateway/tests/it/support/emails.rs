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
    /// The names and the contents of its attachments.
    pub files: Vec<(String, Vec<u8>)>,
}

impl ReceivedEmail {
    pub fn read(raw: &str) -> Self {
        let raw = raw.replace("\r\n", "\n");
        let (headers, body) = raw.split_once("\n\n").expect("headers and a body");
        let mixed = parts_of(headers, body);
        // An e-mail with attachments has the part with its texts first.
        let (parts, files) = if headers.contains("multipart/mixed") {
            let (inner, text) = mixed[0].trim_start().split_once("\n\n").expect("a text");
            assert!(inner.contains("multipart/alternative"), "{inner}");
            (parts_of(inner, text), &mixed[1..])
        } else {
            assert!(headers.contains("multipart/alternative"), "{headers}");
            (mixed.clone(), &[][..])
        };
        let part = |content_type: &str| {
            let found = parts.iter().find(|part| part.contains(content_type));
            decoded(found.unwrap_or_else(|| panic!("no part {content_type} in {raw}")))
        };
        let files = files
            .iter()
            .filter(|part| part.contains("Content-Disposition: attachment"));
        Self {
            headers: headers.to_owned(),
            text: part("text/plain"),
            html: part("text/html"),
            files: files.map(|part| (file_name(part), bytes_of(part))).collect(),
        }
    }

    pub fn is_to(&self, email: &str) -> bool {
        let mut to = self.headers.lines().filter(|line| line.starts_with("To:"));
        to.any(|line| line.contains(email))
    }

    /// The address of its first link.
    pub fn link(&self) -> &str {
        let link = self.text.lines().find(|line| line.starts_with("http"));
        link.unwrap_or_else(|| panic!("no link in {}", self.text))
    }

    /// The text after the `=` of the link.
    pub fn code(&self) -> &str {
        self.link().split_once('=').expect("a code in the link").1
    }
}

fn parts_of<'a>(headers: &str, body: &'a str) -> Vec<&'a str> {
    let boundary = between(headers, "boundary=\"", "\"");
    body.split(&format!("--{boundary}")).skip(1).collect()
}

/// The header has a long name in several pieces (RFC 2231).
fn file_name(part: &str) -> String {
    let headers = part.trim_start().split("\n\n").next().unwrap_or_default();
    let pieces = headers.split("filename").skip(1);
    pieces.map(|piece| between(piece, "\"", "\"")).collect()
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).expect(before).1;
    rest.split_once(after).expect(after).0
}

fn decoded(part: &str) -> String {
    let text = String::from_utf8(bytes_of(part)).expect("UTF-8");
    text.replace("\r\n", "\n")
}

fn bytes_of(part: &str) -> Vec<u8> {
    let (headers, body) = part.trim_start().split_once("\n\n").expect("a part's headers");
    if headers.contains("base64") {
        STANDARD.decode(body.replace('\n', "").trim()).expect("base64")
    } else if headers.contains("quoted-printable") {
        unquoted(&body.replace("=\n", ""))
    } else {
        body.as_bytes().to_vec()
    }
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
    /// The e-mails in the folder, in the order of their ids. Waits until none is queued.
    pub async fn received_emails(&self) -> Vec<ReceivedEmail> {
        self.until_no_email_waits().await;
        let Ok(folder) = fs::read_dir(self.mail_folder.path()) else {
            return vec![];
        };
        let mut files: Vec<_> = folder.map(|file| file.expect("a file").path()).collect();
        // A file's name is the e-mail's id. It begins with the time, unless the e-mail is about an order.
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

    /// The latest e-mail to that address, if none is about an order.
    pub async fn last_email_to(&self, email: &str) -> ReceivedEmail {
        self.emails_to(email).await.pop().expect("an e-mail")
    }

    pub async fn until_no_email_waits(&self) {
        self.until_count("SELECT count(*) FROM mail WHERE status = 'waiting'", 0)
            .await;
    }
}
