//! An answer or a parameter that several calls have stands once, in the document's components. The calls refer to it.
//! Its name is made of its description's words, so that it does not depend on the order of the calls.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{members_mut, reasons, values_mut};

/// Moves what several operations have to the components.
///
/// Panics if it finds no name of its own for one of them.
pub fn share(document: &mut Value) {
    share_members(document, "responses", names_of_answer);
    share_members(document, "parameters", names_of_parameter);
}

/// The member has one name in operations and in components. `candidates` gives the names for a value and its paths.
fn share_members(document: &mut Value, member: &str, candidates: fn(&Value, &[String]) -> Vec<String>) {
    let mut uses: BTreeMap<String, (Value, Vec<String>)> = BTreeMap::new();
    for_each(document, member, |path, value| {
        let (_, paths) = uses
            .entry(value.to_string())
            .or_insert_with(|| (value.clone(), vec![]));
        paths.push(path.to_owned());
    });
    uses.retain(|_, (_, paths)| paths.len() > 1);
    let candidates: Vec<Vec<String>> = uses
        .values()
        .map(|(value, paths)| candidates(value, paths))
        .collect();
    let names: BTreeMap<&String, String> = uses.keys().zip(names(&candidates)).collect();
    for_each(document, member, |_, value| {
        if let Some(name) = names.get(&value.to_string()) {
            *value = json!({ "$ref": format!("#/components/{member}/{name}") });
        }
    });
    for (text, name) in names {
        document["components"][member][name] = uses[text].0.clone();
    }
}

/// Calls `visit` with each answer or each parameter of all operations, and with the operation's path.
fn for_each(document: &mut Value, member: &str, mut visit: impl FnMut(&str, &mut Value)) {
    for (path, item) in members_mut(document, "paths") {
        for operation in values_mut(item) {
            match operation.get_mut(member) {
                Some(Value::Array(values)) => values.iter_mut().for_each(|value| visit(path, value)),
                Some(Value::Object(values)) => values.values_mut().for_each(|value| visit(path, value)),
                _ => {}
            }
        }
    }
}

/// For each value one of its candidates: the first, unless another value has the same one.
fn names(candidates: &[Vec<String>]) -> Vec<String> {
    let mut chosen = vec![0; candidates.len()];
    loop {
        let names: Vec<&String> = candidates
            .iter()
            .zip(&chosen)
            .map(|(mine, &at)| &mine[at])
            .collect();
        let is_taken = |at: usize| names.iter().filter(|name| **name == names[at]).count() > 1;
        let taken: Vec<usize> = (0..names.len()).filter(|&at| is_taken(at)).collect();
        if taken.is_empty() {
            return names.into_iter().cloned().collect();
        }
        let longer: Vec<usize> = taken
            .iter()
            .copied()
            .filter(|&at| chosen[at] + 1 < candidates[at].len())
            .collect();
        assert!(
            !longer.is_empty(),
            "two shared parts of the document have the name {}: describe them differently",
            names[taken[0]]
        );
        longer.into_iter().for_each(|at| chosen[at] += 1);
    }
}

/// The reasons of the description. Of each, the first clause or everything.
fn names_of_answer(answer: &Value, _: &[String]) -> Vec<String> {
    let description = answer["description"].as_str().unwrap_or_default();
    let names = [&[';', ':', '('][..], &[]].map(|ends| {
        let reasons = description.split(". ").map(|reason| {
            let known = reasons::ALL.iter().find(|known| known.text == reason);
            known.map_or_else(|| phrase(first_part(reason, ends)), |known| known.name.to_owned())
        });
        reasons.collect::<Vec<_>>().join("Or")
    });
    names.to_vec()
}

/// The parameter's name. If several parameters have it, then with the words of its description. An id in a path has
/// none; it has the segment that is most often before it.
fn names_of_parameter(parameter: &Value, paths: &[String]) -> Vec<String> {
    let text = |member: &str| parameter[member].as_str().unwrap_or_default();
    let (name, description) = (text("name"), text("description"));
    if text("in") == "path" && description.is_empty() {
        let place = format!("/{{{name}}}");
        let mut segments: BTreeMap<&str, usize> = BTreeMap::new();
        for path in paths {
            let segment = path
                .split(&place)
                .next()
                .and_then(|before| before.rsplit('/').next());
            *segments.entry(segment.unwrap_or_default()).or_default() += 1;
        }
        let most = segments.into_iter().max_by_key(|(_, count)| *count);
        let (segment, _) = most.unwrap_or_default();
        return vec![name.to_owned(), format!("{name}.Of{}", phrase(segment))];
    }
    let name = if parameter["required"] == true && text("in") == "query" {
        format!("{name}.Required")
    } else {
        name.to_owned()
    };
    let mut names = vec![name.clone()];
    for ends in [&['.', ',', ';', ':', '('][..], &['.'], &[]] {
        names.push(format!("{name}.{}", phrase(first_part(description, ends))));
    }
    names
}

fn first_part<'a>(text: &'a str, ends: &[char]) -> &'a str {
    text.split(ends).next().unwrap_or_default()
}

/// The text in camel case, without articles and without words that have accents: a name is of ASCII.
fn phrase(text: &str) -> String {
    let text = text.replace("'s ", " ").replace("e-mail", "email");
    let words = text.split(|character: char| !character.is_alphanumeric());
    let words = words
        .filter(|word| word.is_ascii() && !["", "a", "an", "the"].contains(&word.to_lowercase().as_str()));
    let mut phrase = String::new();
    for word in words {
        let (first, rest) = word.split_at(1);
        // Writing to a String cannot fail.
        let _ = write!(phrase, "{}{rest}", first.to_ascii_uppercase());
    }
    phrase
}
