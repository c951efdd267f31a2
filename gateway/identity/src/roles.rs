//! The roles of both audiences, with the specification's names and numbers.

macro_rules! roles {
    ($(#[$doc:meta])* $role:ident { $($variant:ident = $id:literal $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $role {
            $($variant,)+
        }

        impl $role {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn id(self) -> i16 {
                match self { $(Self::$variant => $id,)+ }
            }

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            pub const fn from_id(id: i16) -> Option<Self> {
                match id { $($id => Some(Self::$variant),)+ _ => None }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

roles!(
    /// A seller's role in one company.
    SellerRole {
        Owner = 1 "owner",
        Admin = 2 "admin",
        Operator = 7 "operator",
    }
);

roles!(
    AdminRole {
        Owner = 1 "owner",
        Admin = 2 "admin",
        Financial = 3 "financial",
        Commercial = 4 "commercial",
        CommercialSupervisor = 5 "commercial-supervisor",
        // Customer service: Serviço de Atendimento ao Consumidor.
        Sac = 6 "sac",
        Operator = 7 "operator",
    }
);

impl AdminRole {
    /// The roles that approve plan changes, and withdrawals. The access table lists `admin` for these calls; owners
    /// pass every check of staff.
    pub const APPROVERS: [Self; 2] = [Self::Owner, Self::Admin];
}
