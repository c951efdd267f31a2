//! The first owner of a new installation: nobody inside it could make one. Whoever runs the program may.

use std::io::BufRead;

use clap::Args;
use gateway_environment::config::Config;
use gateway_identity::audit::Actor;
use gateway_identity::fields;
use gateway_identity::people::{NewAdmin, PeopleError, admin_create};
use gateway_identity::roles::AdminRole;
use gateway_identity::sessions::{PasswordError, passwords};
use ledger_domain::ids::UserId;
use thiserror::Error;
use uuid::Uuid;

use super::{CliError, Ending, say};
use crate::app::Database;

/// The password is no argument: other programs of the machine may read those.
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
        fault: fields::Fault,
    },
    #[error("the e-mail belongs to somebody of staff already")]
    EmailTaken,
    #[error("the password can't be hashed: {0}")]
    Hash(PasswordError),
    #[error(transparent)]
    People(PeopleError),
}

pub async fn owner(config: Config, arguments: OwnerArguments) -> Result<Ending, CliError> {
    let mut password = String::new();
    std::io::stdin().lock().read_line(&mut password)?;
    let password = password.trim_end_matches(['\r', '\n']);
    let read =
        |field, read: Result<String, fields::Fault>| read.map_err(|fault| OwnerError::Field { field, fault });
    let name = read("--name", fields::name(&arguments.name))?;
    let email = read("--email", fields::email(&arguments.email))?;
    let password = read("password", fields::password(password).map(str::to_owned))?;
    let password_hash = passwords::hash(&password).map_err(OwnerError::Hash)?;
    let database = Database::join(&config.database).await?;
    let made = async {
        database.migrate().await?;
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
        admin_create(&*transaction, Actor::System, &new)
            .await
            .map_err(|error| match error {
                PeopleError::EmailTaken => OwnerError::EmailTaken,
                other => OwnerError::People(other),
            })?;
        transaction.commit().await?;
        Ok::<_, CliError>(())
    };
    let made = made.await;
    database.close().await;
    made?;
    say(&format!("{email} may sign in to the admin panel as an owner"));
    Ok(Ending::Done)
}
