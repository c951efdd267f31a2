//! The macro behind `read_model_groups.rs`: generates names, folds and rows from the list of read models.

/// Each entry is a group of read models with one checkpoint: the variant of `ReadModelGroup`, the checkpoint's name,
/// the name of the generated fold, and the read models. The first read model of a group is folded before the others and
/// is their `FirstOfGroup`.
macro_rules! read_models {
    ($(
        $(#[$doc:meta])*
        $model:ident = $name:literal as $group:ident {
            $first:ident: $First:ty
            $(, $member:ident: $Member:ty)* $(,)?
        }
    )+) => {
        /// A group of read models: they are written in one transaction, under one checkpoint.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ReadModelGroup {
            $($(#[$doc])* $model,)+
        }

        impl ReadModelGroup {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$model),+];
            /// Their names, in the same order.
            pub const NAMES: [&'static str; [$($name),+].len()] = [$($name),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$model => $name,)+
                }
            }

            /// The tables of sums over companies. A rebuild fills them too.
            pub fn shared_tables(self) -> impl Iterator<Item = &'static str> {
                let shared: &'static [&'static [&'static str]] = match self {
                    $(Self::$model => &[<$First as ReadModel>::SHARED $(, <$Member as ReadModel>::SHARED)*],)+
                };
                shared.iter().flat_map(|tables| tables.iter().copied())
            }

            /// The tables with rows of companies: a rebuild fills them again, and the audit searches them for orphan
            /// rows.
            pub const fn tables(self) -> &'static [&'static str] {
                match self {
                    $(Self::$model => &[<$First as ReadModel>::TABLE $(, <$Member as ReadModel>::TABLE)*],)+
                }
            }
        }

        $(
            #[derive(Debug, Default)]
            pub(crate) struct $group {
                $first: $First,
                $($member: $Member,)*
            }

            impl $group {
                async fn load(tx: &Transaction<'_>, events: &[DecodedEvent]) -> Result<Self, Error> {
                    Ok(Self {
                        $first: <$First as ReadModel>::load(tx, events).await?,
                        $($member: <$Member as ReadModel>::load(tx, events).await?,)*
                    })
                }

                fn fold(&mut self, recorded: &DecodedEvent) -> Result<(), Poison> {
                    ReadModel::fold(&mut self.$first, recorded, &())?;
                    $(ReadModel::fold(&mut self.$member, recorded, &self.$first)?;)*
                    Ok(())
                }

                async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
                    ReadModel::write(&self.$first, tx).await?;
                    $(ReadModel::write(&self.$member, tx).await?;)*
                    Ok(())
                }

                fn from_memory(rows: &Rows, events: &[DecodedEvent]) -> Self {
                    Self {
                        $first: <$First as ReadModel>::from_memory(&rows.$first, events),
                        $($member: <$Member as ReadModel>::from_memory(&rows.$member, events),)*
                    }
                }

                fn merge(self, rows: &mut Rows) {
                    merge::<$First>(&mut rows.$first, self.$first);
                    $(merge::<$Member>(&mut rows.$member, self.$member);)*
                }

                fn compare(self, found: &Rows, reporter: &mut Reporter<'_>) {
                    reporter.read_model::<$First>(&self.$first.into_rows(), &found.$first);
                    $(reporter.read_model::<$Member>(&self.$member.into_rows(), &found.$member);)*
                }
            }
        )+

        /// The changes that a window of events makes to the tables under one checkpoint.
        #[derive(Debug)]
        pub(crate) enum Fold {
            $($model($group),)+
        }

        impl Fold {
            /// The empty start of a fold from a business's first event on.
            pub fn new(model: ReadModelGroup) -> Self {
                match model {
                    $(ReadModelGroup::$model => Self::$model($group::default()),)+
                }
            }

            /// Reads the stored rows that the fold of these events needs.
            pub async fn load(
                model: ReadModelGroup,
                tx: &Transaction<'_>,
                events: &[DecodedEvent],
            ) -> Result<Self, Error> {
                Ok(match model {
                    $(ReadModelGroup::$model => Self::$model($group::load(tx, events).await?),)+
                })
            }

            /// The same as `load`, from rows in memory.
            pub fn from_memory(model: ReadModelGroup, rows: &Rows, events: &[DecodedEvent]) -> Self {
                match model {
                    $(ReadModelGroup::$model => Self::$model($group::from_memory(rows, events)),)+
                }
            }

            pub fn fold(&mut self, recorded: &DecodedEvent) -> Result<(), Poison> {
                match self {
                    $(Self::$model(group) => group.fold(recorded),)+
                }
            }

            pub async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
                match self {
                    $(Self::$model(group) => group.write(tx).await,)+
                }
            }

            /// The same as `write`, to rows in memory.
            pub fn merge(self, rows: &mut Rows) {
                match self {
                    $(Self::$model(group) => group.merge(rows),)+
                }
            }

            /// Reports each difference between the stored rows and this fold from the first event on.
            pub fn compare(self, found: &Rows, reporter: &mut Reporter<'_>) {
                match self {
                    $(Self::$model(group) => group.compare(found, reporter),)+
                }
            }
        }

        /// The rows of every read model, of one business or in memory.
        #[derive(Debug, Default)]
        pub(crate) struct Rows {
            $(
                pub $first: RowsOf<$First>,
                $(pub $member: RowsOf<$Member>,)*
            )+
        }

        impl Rows {
            /// All stored rows of a business.
            pub async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<Self, Error> {
                Ok(Self {
                    $(
                        $first: <$First as ReadModel>::stored(client, business).await?,
                        $($member: <$Member as ReadModel>::stored(client, business).await?,)*
                    )+
                })
            }

            /// The first row in which two sets of rows differ.
            pub fn difference(&self, other: &Self) -> Option<String> {
                None
                    $(
                        .or_else(|| difference::<$First>(&self.$first, &other.$first))
                        $(.or_else(|| difference::<$Member>(&self.$member, &other.$member)))*
                    )+
            }
        }
    };
}
pub(crate) use read_models;

use super::{ReadModel, RowsOf};

pub(crate) fn merge<Of: ReadModel>(stored: &mut RowsOf<Of>, window: Of) {
    for (key, row) in window.into_rows() {
        match stored.get_mut(&key) {
            Some(stored) => Of::merge(stored, row),
            None => {
                stored.insert(key, row);
            }
        }
    }
    Of::prune(stored);
}

pub(crate) fn difference<Of: ReadModel>(left: &RowsOf<Of>, right: &RowsOf<Of>) -> Option<String> {
    let keys = left.keys().chain(right.keys());
    let key = keys.filter(|key| left.get(key) != right.get(key)).min()?;
    Some(format!(
        "{} {key:?}: {:?} and {:?}",
        Of::TABLE,
        left.get(key),
        right.get(key)
    ))
}
