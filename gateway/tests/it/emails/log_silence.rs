//! Runs the program with its debug log. The log contains no code of a link, no password, no token and no e-mail
//! address.

use std::fs::{self, File};
use std::process::Stdio;

use gateway_identity::audit::Actor;
use gateway_identity::credentials::passwords;
use gateway_identity::users::{NewSeller, seller_insert};
use ledger_domain::ids::UserId;
use serde_json::json;
use tokio::process::Command;
use uuid::Uuid;

use crate::support::database::Database;
use crate::support::sandbox::free_address;
use crate::support::wait::until;
use crate::support::{Client, ReceivedEmail};

const OLD: &str = "a senha de antes";
const NEW: &str = "a senha de depois";
const EMAIL: &str = "ana@padaria.example";
const NEW_EMAIL: &str = "nova@padaria.example";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_contains_no_codes_passwords_tokens_or_e_mail_addresses() {
    let database = Database::create().await;
    let folder = tempfile::tempdir().expect("a folder");
    let client = database.client().await;
    let hash = passwords::hash(OLD).expect("a hash");
    let new = NewSeller {
        id: UserId::from_uuid(Uuid::now_v7()),
        name: "Ana Souza",
        email: EMAIL,
        password_hash: &hash,
        document: "52998224725",
        active: true,
    };
    seller_insert(&client, Actor::System, &new)
        .await
        .expect("a seller");
    let (addr, log) = (free_address(), folder.path().join("log"));
    let running = Command::new(env!("CARGO_BIN_EXE_razao"))
        .args(["serve", "--gateway", "--writer", "--projections", "--effects"])
        .env("DATABASE_URL", &database.url)
        .env("RAZAO_DATA", folder.path())
        .env("RAZAO_ADDR", addr.to_string())
        .env("RAZAO_OPS_ADDR", "127.0.0.1:0")
        .env("RAZAO_LOG", "debug")
        .env_remove("RAZAO_SMTP_URL")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&log).expect("a file"))
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts");
    until("a listener", async || std::net::TcpStream::connect(addr).is_ok()).await;
    let signed_out = Client::new(addr);
    // Without an SMTP server, the program writes its e-mails there.
    let mail_folder = folder.path().join("outbox");

    let form = json!({ "email": EMAIL });
    assert_eq!(
        signed_out.post("/api/auth/forgot-password", form).await.status,
        202
    );
    let reset = code_emailed_to(&mail_folder, EMAIL, "resetar-senha").await;
    let form = json!({ "token": reset, "password": NEW });
    assert_eq!(
        signed_out.post("/api/auth/reset-password", form).await.status,
        204
    );
    let form = json!({ "email": EMAIL, "password": NEW });
    let signed_in = signed_out.post("/api/auth/sign-in", form).await;
    let (access, refresh) = (signed_in.text("/access_token"), signed_in.text("/refresh_token"));
    let own = signed_out.clone().bearing(access);
    let form = json!({ "email": NEW_EMAIL, "password": NEW });
    assert_eq!(own.post("/api/auth/change-email", form).await.status, 202);
    let verify = code_emailed_to(&mail_folder, NEW_EMAIL, "verificar-email").await;
    let confirmed = signed_out.get(&format!("/api/auth/verifyemail/{verify}")).await;
    assert_eq!(confirmed.status, 200);
    drop(running);

    let log = fs::read_to_string(log).expect("the log");
    assert!(
        log.contains(r#""/api/auth/verifyemail/""#) && log.contains("e-mails are not sent"),
        "{log}"
    );
    for secret in [&reset, &verify, OLD, NEW, EMAIL, NEW_EMAIL, access, refresh] {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret}");
    }
}

/// The code in the link to that page, from the e-mail to that address.
async fn code_emailed_to(mail_folder: &std::path::Path, email: &str, page: &str) -> String {
    let mut found = None;
    until("an e-mail", async || {
        let files = fs::read_dir(mail_folder).into_iter().flatten().flatten();
        let names = files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some());
        let received_emails =
            names.map(|path| ReceivedEmail::read(&fs::read_to_string(path).expect("an e-mail")));
        let mut wanted =
            received_emails.filter(|received| received.is_to(email) && received.text.contains(page));
        found = wanted.next().map(|received| received.code().to_owned());
        found.is_some()
    })
    .await;
    found.expect("an e-mail")
}
