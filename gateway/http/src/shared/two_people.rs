//! Decisions that need two people, who must not be one person with two users.

use gateway_identity::audience::Audience;
use gateway_identity::users::{Dependence, Hold, StaffCaller, dependence, user_names};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;

use crate::problem::{Problem, Result};

/// What a second person confirms needs the first one's right too, at that time. A 409 with the text `access_ended` if
/// the first one has lost it, or if the two do not count as two people.
pub(crate) async fn check_first_person(
    client: &impl GenericClient,
    first: StaffCaller,
    second: UserId,
    access_ended: &'static str,
) -> Result<()> {
    if !first.lock_and_is_allowed(client).await? {
        return Err(Problem::conflict(access_ended));
    }
    check_two_people(client, second, first.id).await
}

/// A 409 if one of the users may be able to sign in as the other one, or a third user as both.
async fn check_two_people(client: &impl GenericClient, one: UserId, other: UserId) -> Result<()> {
    let Some(Dependence { held, by, hold }) = dependence(client, one, other).await? else {
        return Ok(());
    };
    let names = user_names(client, Audience::Admin, &[held, by]).await?;
    let name = |user| names.get(&user).map_or("Outra pessoa", String::as_str);
    let (held, by) = (name(held), name(by));
    Err(Problem::conflict(match hold {
        Hold::Password => format!(
            "Esta decisão precisa de duas pessoas, e {by} criou ou alterou o acesso de {held}. Peça a outra pessoa, ou \
             a {held} que crie uma nova senha em “Esqueci minha senha”."
        ),
        Hold::Address => format!(
            "Esta decisão precisa de duas pessoas, e {by} definiu o e-mail ou o grupo de {held}. Peça a outra pessoa, ou \
             a um proprietário que retire e devolva o grupo de {held}."
        ),
    }))
}
