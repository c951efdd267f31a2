//! Creates an owner. A new installation has no admin user who could create the first one. So an operator of the program
//! creates it.

use std::io::BufRead;

use clap::Args;
use gateway_environment::config::Config;
use gateway_formats::plain_text;
use gateway_identity::audit::Actor;
use gateway_identity::credentials::{PasswordError, passwords};
use gateway_identity::fields;
use gateway_identity::roles::AdminRole;
use gateway_identity::users::{NewAdmin, UserError, admin_insert};
use ledger_domain::ids::UserId;
use thiserror::Error;
use uuid::Uuid;

use super::{CliError, Ending, print_line};
use crate::app::Database;

/// The password is not an argument, because other programs on the machine can read arguments.
#[derive(Debug, Clone, Args)]
pub struct OwnerArguments {
    #[arg(long)]
    name: String,
    #[arg(long)]
    email: String,
}

#[derive(Debug, Error)]
pub enum OwnerError {
    #[error("{field}: {fault}")]
    Field {
        field: &'static str,
        fault: fields::ValidationMessage,
    },
    #[error("the e-mail already belongs to an admin user")]
    EmailTaken,
    #[error("the password can't be hashed: {0}")]
    Hash(PasswordError),
    #[error(transparent)]
    User(UserError),
}

pub async fn owner(config: Config, arguments: OwnerArguments) -> Result<Ending, CliError> {
    let mut password = String::new();
    std::io::stdin().lock().read_line(&mut password)?;
    let password = password.trim_end_matches(['\r', '\n']);
    let read = |field, read: Result<String, fields::ValidationMessage>| {
        read.map_err(|fault| OwnerError::Field { field, fault })
    };
    let name = read("--name", fields::name(&plain_text::clean(&arguments.name)))?;
    let email = read("--email", fields::email(&arguments.email))?;
    let password = read("password", fields::password(password).map(str::to_owned))?;
    let password_hash = passwords::hash(&password).map_err(OwnerError::Hash)?;
    let database = Database::join(&config.database).await?;
    let created = async {
        database.prepare(&config.database).await?;
        let mut client = database.pool().get().await?;
        let transaction = client.transaction().await?;
        let new = NewAdmin {
            id: UserId::from_uuid(Uuid::now_v7()),
            name: &name,
            email: &email,
            password_hash: &password_hash,
            roles: &[AdminRole::Owner],
            active: true,
        };
        admin_insert(&*transaction, Actor::System, &new)
            .await
            .map_err(|error| match error {
                UserError::EmailTaken => OwnerError::EmailTaken,
                other => OwnerError::User(other),
            })?;
        transaction.commit().await?;
        Ok::<_, CliError>(())
    };
    let created = created.await;
    database.close().await;
    created?;
    print_line(&format!("{email} can sign in to the admin panel as an owner"));
    Ok(Ending::Done)
}
