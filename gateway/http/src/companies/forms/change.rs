//! The forms that change a company.

use gateway_platform::companies::{
    Approval, CompanyChange, ProfileChange, RequestedDecision, STATEMENT_DESCRIPTOR_CHARACTERS_MAX,
    statement_descriptor,
};
use serde_json::Value;
use uuid::Uuid;

use super::REASON_CHARACTERS_MAX;
use super::parts::{AddressForm, ProfileForm, email, one_line, phone};
use crate::edge::query::text as text_schema;
use crate::shared::form::{
    Components, Field, Kind, clearable, form, int32, line, optional, refuse_null, required, trimmed,
    unprefixed_part, uuid,
};
use crate::users::fields::name;

const VERSION_MISSING: &str = "Informe a versão lida do cadastro.";

pub struct BusinessChange {
    /// The version that the change started from.
    pub version: i32,
    pub change: CompanyChange,
    pub decision: Option<RequestedDecision>,
}

form! {
    /// Fields that are left out do not change. An empty text clears an optional field.
    impl FromBody for BusinessChange {
        /// The company's version when it was read. A 409 says what was changed since.
        #[example = 1]
        version: i32 = required(int32(), VERSION_MISSING),
        #[example = "Padaria Souza Ltda"]
        name: Option<String> = refuse_null(optional(name())),
        /// Up to 22 letters, digits and spaces, with at least one letter.
        #[example = "PADARIA SOUZA"]
        statement_descriptor: Option<Option<String>> = refuse_null(clearable(descriptor())),
        /// enabled, denied or deleted. `enabled` needs the documents that the settings ask for, and releases the sales that
        /// were held while the company was not approved.
        #[example = "enabled"]
        approval: Option<Approval> = refuse_null(optional(approval())),
        /// The reason of the decision. Required for denied and deleted, and for an approval without documents, which only
        /// owners and admins of the platform may make.
        #[example = "Documentos conferidos em visita."]
        reason: Option<String> = refuse_null(optional(line(REASON_CHARACTERS_MAX))),
        receiving_plan_id: Option<Uuid> = refuse_null(optional(uuid())),
        profile: ..ProfileForm,
    } => Self {
        version,
        change: CompanyChange {
            name,
            statement_descriptor,
            receiving_plan_id,
            profile: profile.0,
        },
        decision: approval.map(|approval| RequestedDecision { approval, reason }),
    }
}

pub struct OwnBusinessChange {
    /// The version that the change started from.
    pub version: i32,
    pub change: CompanyChange,
    pub address: Option<AddressForm>,
    pub address_id: Option<Uuid>,
}

form! {
    /// Fields that are left out do not change. An empty text clears an optional field.
    impl FromBody for OwnBusinessChange {
        /// The company's version when it was read. A 409 says what was changed since.
        #[example = 1]
        version: i32 = required(int32(), VERSION_MISSING),
        /// Up to 22 letters, digits and spaces, with at least one letter.
        #[example = "PADARIA SOUZA"]
        statement_descriptor: Option<Option<String>> = clearable(descriptor()),
        #[example = "Padaria da Ana"]
        trade_name: Option<Option<String>> = clearable(one_line(120)),
        #[example = "contato@padaria.example"]
        email: Option<Option<String>> = clearable(email()),
        /// With area code.
        #[example = "(11) 3333-4444"]
        phone: Option<Option<String>> = clearable(phone()),
        /// Replaces the address with the id `address_id`, or adds an address if `address_id` is left out.
        address: Option<AddressForm> = optional(unprefixed_part()),
        /// Ignored without `address`.
        address_id: Option<Uuid> = optional(uuid()),
    } => Self {
        version,
        change: CompanyChange {
            statement_descriptor,
            profile: ProfileChange {
                trade_name,
                email,
                phone,
                ..ProfileChange::default()
            },
            ..CompanyChange::default()
        },
        address,
        address_id,
    }
}

pub(super) fn descriptor() -> Kind<String> {
    let max = Some(STATEMENT_DESCRIPTOR_CHARACTERS_MAX);
    trimmed(move || text_schema().max_length(max).into(), statement_descriptor)
}

/// The word of a decision. The error has the words of the panel.
fn approval() -> Kind<Approval> {
    let schema = |_: &mut Components| text_schema().into();
    Kind::new(schema, |given: Value, field: &mut Field<'_>| {
        let approval = given.as_str().and_then(|text| Approval::parse(text).ok());
        if approval.is_none() {
            field.error("Escolha Aprovado, Negado ou Deletado.");
        }
        approval
    })
}
