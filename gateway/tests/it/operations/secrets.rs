//! Secrets in files, which the running program reads again; keys that are replaced; the check after a restore.

use std::fs;
use std::path::Path;

use chrono::Utc;
use ed25519_dalek::SigningKey;
use gateway::app::Parts;
use gateway_platform::providers::{SIGNATURE_HEADER, sign};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tokio::process::Child;

use crate::support::database::CHECKPOINT_KEY;
use crate::support::program::Program;
use crate::support::sandbox::free_address;
use crate::support::wait::until;
use crate::support::{Client, PARTS, PASSWORD, TestApp};

const OLD: &str = "the-secret-of-yesterday";
const NEW: &str = "the-secret-of-tomorrow";

/// The status of a notice that is signed with the secret, and that nothing can be done with.
async fn status_of_notice(program: &Program, secret: &str) -> u16 {
    let body = json!({ "type": "unknown" }).to_string();
    let signature = sign(secret.as_bytes(), Utc::now().timestamp(), body.as_bytes());
    let client = Client::new(program.addr).with(SIGNATURE_HEADER, &signature);
    let answer = client
        .post_text("/api/webhooks/iugu", "application/json", &body)
        .await;
    answer.status
}

const REFUSED: u16 = 401;

fn hang_up(running: &Child) {
    let pid = i32::try_from(running.id().expect("it runs")).expect("a process id");
    kill(Pid::from_raw(pid), Signal::SIGHUP).expect("a signal");
}

fn path_in(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a path").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_program_takes_the_secrets_of_its_files_and_refuses_invalid_ones() {
    let app = TestApp::start_with(
        &[],
        Parts {
            writer: false,
            ..PARTS
        },
    )
    .await;
    // The program loads the demo into a database without a company.
    app.company("Padaria").await;
    let folder = tempfile::tempdir().expect("a folder");
    let (secrets, jwt) = (path_in(folder.path(), "iugu"), path_in(folder.path(), "jwt"));
    let [old_key, new_key] = ["11", "22"].map(|byte| byte.repeat(32));
    fs::write(&secrets, OLD).expect("a file");
    fs::write(&jwt, &old_key).expect("a file");
    let variables = [
        ("RAZAO_PROVIDER_IUGU_SECRETS_FILE", secrets.as_str()),
        ("RAZAO_KEY_JWT_FILE", &jwt),
    ];
    let program = Program::new(&app.database.url, free_address(), free_address(), &variables);
    let running = program.start();
    program.until_it_serves().await;
    let user = app.seller(&[]).await;
    let sign_in = async || {
        let form = json!({ "email": user.email, "password": PASSWORD });
        let signed_in = Client::new(program.addr).post("/api/auth/sign-in", form).await;
        Client::new(program.addr).bearing(signed_in.text("/access_token"))
    };
    let signed_in_before = sign_in().await;
    let status = async |client: &Client| client.get("/api/sellers/me").await.status;
    assert_eq!(status(&signed_in_before).await, 200);
    assert_ne!(status_of_notice(&program, OLD).await, REFUSED);
    assert_eq!(status_of_notice(&program, NEW).await, REFUSED);

    // Both are good for as long as both are listed.
    fs::write(&jwt, format!("{new_key},{old_key}")).expect("a file");
    fs::write(&secrets, format!("{NEW},{OLD}")).expect("a file");
    hang_up(&running);
    until("the new secret", async || {
        status_of_notice(&program, NEW).await != REFUSED
    })
    .await;
    assert_ne!(status_of_notice(&program, OLD).await, REFUSED);
    let signed_in_after = sign_in().await;
    assert_eq!(status(&signed_in_before).await, 200);

    // Nothing of an invalid configuration is taken.
    fs::write(&secrets, format!("{NEW},short")).expect("a file");
    fs::write(&jwt, "11").expect("a file");
    hang_up(&running);
    until("the alarm", async || {
        program.log().contains("configuration_refused")
    })
    .await;
    assert!(!program.log().contains(NEW));
    assert_eq!(status(&signed_in_before).await, 200);
    assert_ne!(status_of_notice(&program, OLD).await, REFUSED);

    // The program finds a changed file without a signal.
    fs::write(&jwt, &new_key).expect("a file");
    fs::write(&secrets, NEW).expect("a file");
    until("the old secret is refused", async || {
        status_of_notice(&program, OLD).await == REFUSED
    })
    .await;
    assert_eq!(status(&signed_in_before).await, REFUSED);
    assert_eq!(status(&signed_in_after).await, 200);
    assert_ne!(status_of_notice(&program, NEW).await, REFUSED);
}

#[tokio::test]
async fn the_configuration_in_force_is_printed_without_its_secrets() {
    let program = Program::new(
        "postgres://razao:s3cret-word@db.internal/razao",
        free_address(),
        free_address(),
        &[("RAZAO_PROVIDER_IUGU_SECRETS", "s3cret-word-of-iugu")],
    );
    let checked = program.output(&["config", "check"]).await;
    let text = String::from_utf8(checked.stdout).expect("text");
    assert_eq!(checked.status.code(), Some(0), "{text}");
    assert!(!text.contains("s3cret-word"), "{text}");
    for line in [
        "DATABASE_URL = postgres://razao:***@db.internal/razao",
        "RAZAO_PROVIDER_IUGU_SECRETS = (secret)",
        "RAZAO_DATABASE_CONNECTIONS = 16 (default)",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line} in {text}");
    }
    assert!(
        text.contains("for RAZAO_CHECKPOINT_PUBLIC_KEYS of an audit: "),
        "{text}"
    );

    let faulty = Program::new(
        "postgres://razao@db/razao",
        free_address(),
        free_address(),
        &[("RAZAO_LOG", "gateway=[loud"), ("RAZAO_KEY_JWT", "11")],
    );
    let checked = faulty.output(&["config", "check"]).await;
    let text = String::from_utf8(checked.stderr).expect("text");
    assert_eq!(checked.status.code(), Some(2), "{text}");
    assert!(text.contains("RAZAO_LOG is not a filter"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_of_an_earlier_key_verify_with_it_or_with_its_public_half_alone() {
    let app = TestApp::start().await;
    app.company("Padaria").await;
    let audit = async |variables: &[(&str, &str)], arguments: &[&str]| {
        let program = Program::new(&app.database.url, free_address(), free_address(), variables);
        let output = program.output(arguments).await;
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).expect("text"))
    };
    let (present, earlier) = ("22".repeat(32), hex::encode(CHECKPOINT_KEY));
    let (code, text) = audit(&[], &["audit", "checkpoint"]).await;
    assert_eq!(code, Some(0), "{text}");

    let both = format!("{present},{earlier}");
    let (code, text) = audit(&[("RAZAO_KEY_CHECKPOINT", &both)], &["audit", "verify"]).await;
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = audit(&[("RAZAO_KEY_CHECKPOINT", &present)], &["audit", "verify"]).await;
    assert_eq!(code, Some(3), "{text}");

    let public = SigningKey::from_bytes(&CHECKPOINT_KEY).verifying_key();
    let public = hex::encode(public.as_bytes());
    let without_secret = [
        ("RAZAO_ENV", "production"),
        ("RAZAO_NOW", ""),
        ("RAZAO_KEY_CHECKPOINT", ""),
        ("RAZAO_CHECKPOINT_PUBLIC_KEYS", &public),
    ];
    let (code, text) = audit(&without_secret, &["audit", "verify"]).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("it was not checked by whom changes"), "{text}");
    let (code, text) = audit(&without_secret, &["audit", "checkpoint"]).await;
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("nothing can be signed"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_is_noted_and_checked_against_heads_from_outside() {
    let app = TestApp::start().await;
    app.company("Padaria").await;
    let folder = tempfile::tempdir().expect("a folder");
    let heads = path_in(folder.path(), "heads.json");
    let program = Program::new(&app.database.url, free_address(), free_address(), &[]);
    program.succeeds(&["audit", "checkpoint", "--out", &heads]).await;
    let check = ["restore-check", "--head", &heads];
    program.succeeds(&check).await;
    assert_eq!(app.rows("database_restore").await, 1);
    // The heads are from after the instant, and the database has forgotten them.
    app.execute(
        "ALTER TABLE row_chain_head DISABLE TRIGGER USER; DELETE FROM row_chain_head;
         ALTER TABLE row_chain_head ENABLE TRIGGER USER",
    )
    .await;
    let checked = program.output(&check).await;
    let text = String::from_utf8(checked.stdout).expect("text");
    assert_eq!(checked.status.code(), Some(3), "{text}");
    assert!(text.contains("is not in the database"), "{text}");
}
