//! JSON objects whose members keep their order: `serde_json` sorts those of its own maps.

use serde::{Serialize, Serializer};

pub struct InOrder<Members>(pub Members);

impl<Members, Name, Value> Serialize for InOrder<Members>
where
    Members: Iterator<Item = (Name, Value)> + Clone,
    Name: Serialize,
    Value: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}
