//! The roles of both audiences, with the specification's names and numbers.

// A seller's role in one company. The API's document has this name, and no description of it.
ledger_domain::words! {
    pub enum SellerRole {
        Owner = "owner" => "Proprietário",
        Admin = "admin" => "Administrador",
        Operator = "operator" => "Operador",
    }
}

// A user of staff has any of these.
ledger_domain::words! {
    pub enum AdminRole {
        Owner = "owner" => "Proprietário",
        Admin = "admin" => "Administrador",
        Financial = "financial" => "Financeiro",
        Commercial = "commercial" => "Comercial",
        CommercialSupervisor = "commercial-supervisor" => "Supervisor Comercial",
        // Customer service: Serviço de Atendimento ao Consumidor.
        Sac = "sac" => "SAC",
        Operator = "operator" => "Operador",
    }
}

impl SellerRole {
    /// The number of the specification, in the API and in the database.
    pub const fn id(self) -> i16 {
        match self {
            Self::Owner => 1,
            Self::Admin => 2,
            Self::Operator => 7,
        }
    }

    pub fn from_id(id: i16) -> Option<Self> {
        Self::ALL.iter().copied().find(|role| role.id() == id)
    }
}

impl AdminRole {
    /// The roles that approve plan changes, and withdrawals. The access table lists `admin` for these calls; owners
    /// pass every check of staff.
    pub const APPROVERS: [Self; 2] = [Self::Owner, Self::Admin];
}
