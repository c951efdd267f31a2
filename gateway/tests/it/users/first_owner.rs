//! The first owner of a new installation, created on the command line.

use std::process::Stdio;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::support::TestApp;

const PASSWORD: &str = "uma senha com espaços ";

/// Runs `razao owner`. Returns its exit code and its output.
async fn run_owner_command(app: &TestApp, name: &str, email: &str, password: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder for its keys");
    let mut child = Command::new(env!("CARGO_BIN_EXE_razao"))
        .args(["owner", "--name", name, "--email", email])
        .env("DATABASE_URL", &app.database.url)
        .env("RAZAO_DATA", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut stdin = child.stdin.take().expect("its input");
    stdin
        .write_all(format!("{password}\n").as_bytes())
        .await
        .expect("the password");
    drop(stdin);
    let ended = child.wait_with_output().await.expect("its end");
    let output = [ended.stdout, ended.stderr].concat();
    (ended.status.code(), String::from_utf8_lossy(&output).into_owned())
}

#[tokio::test]
async fn the_command_line_creates_the_first_owner_who_creates_the_others() {
    let app = TestApp::start().await;
    let (code, output) = run_owner_command(&app, "Dona Benta", "Dona@Razao.example", PASSWORD).await;
    assert_eq!(code, Some(0), "{output}");
    assert!(!output.contains("senha com"), "{output}");
    let form = json!({ "email": "dona@razao.example", "password": PASSWORD });
    let signed_in = app.staff_client().post("/api/auth/admin/sign-in", form).await;
    assert_eq!(
        (signed_in.status, signed_in.at("/admin/roles")),
        (200, &json!(["owner"]))
    );
    let client = app.staff_client().bearing(signed_in.text("/access_token"));
    let admin =
        json!({ "name": "Bruno", "email": "bruno@razao.example", "password": PASSWORD, "roles": ["admin"] });
    assert_eq!(client.post("/api/admin/users", admin).await.status, 201);
}

#[tokio::test]
async fn a_taken_address_and_invalid_fields_create_no_user() {
    let app = TestApp::start().await;
    assert_eq!(
        run_owner_command(&app, "Dona", "dona@razao.example", PASSWORD)
            .await
            .0,
        Some(0)
    );
    for (name, email, password, expected_text) in [
        (
            "Outra",
            "dona@razao.example",
            PASSWORD,
            "already belongs to an admin user",
        ),
        (" ", "outra@razao.example", PASSWORD, "Nome é requerido."),
        ("Outra", "outra", PASSWORD, "Email inválido."),
        (
            "Outra",
            "outra@razao.example",
            "curta",
            "A senha deve ter pelo menos 8 caracteres",
        ),
        ("Outra", "outra@razao.example", "", "Senha é requerida."),
    ] {
        let (code, output) = run_owner_command(&app, name, email, password).await;
        assert_eq!(code, Some(1), "{output}");
        assert!(output.contains(expected_text), "{output}");
    }
    assert_eq!(app.count("SELECT count(*) FROM admin_user").await, 1);
}
