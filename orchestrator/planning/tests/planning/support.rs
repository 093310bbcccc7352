//! Agents for tests: annotated proto files in a catalog, and sentences to measure on.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::{path::Path, sync::Arc};

use convoke_catalog::{Catalog, Change, Index};
use convoke_planning::{Lexical, Utterance};
use convoke_proto::{
    descriptors::Descriptors,
    v1::{self, instance::State},
};

/// The catalog of one healthy instance for each proto file; paths from this crate's folder.
pub(crate) fn catalog(protos: &[&str]) -> Arc<Catalog> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut index = Index::new();
    for proto in protos {
        let file = home.join(proto);
        let folder = file.parent().unwrap();
        let mut compiler = protox::Compiler::new([folder, &home.join("../../proto")]).unwrap();
        compiler.include_imports(true).include_source_info(true).open_file(&file).unwrap();
        let descriptors = Descriptors::read(&compiler.encode_file_descriptor_set()).unwrap();
        let manifest = convoke_proto::manifest::read(&descriptors).unwrap();
        let domain = manifest.domain.clone().unwrap().name;
        let instance = v1::Instance {
            id: format!("{domain}-1"),
            incarnation: 1,
            endpoint: "http://127.0.0.1:1".to_owned(),
            manifest_digest: (*proto).to_owned(),
            state: State::Serving.into(),
            domain,
            ..v1::Instance::default()
        };
        let digest = (*proto).to_owned();
        index.apply(Change::Manifest { digest, manifest, descriptors: descriptors.bytes().clone() }).unwrap();
        index.apply(Change::Put(instance)).unwrap();
    }
    index.snapshot()
}

/// One line of a data file.
pub(crate) struct Case {
    /// `domain.GOAL`; `None`: no goal answers it.
    pub(crate) goal: Option<String>,
    /// BCP 47.
    pub(crate) locale: String,
    /// The sentence.
    pub(crate) text: String,
    /// Field and value, as far as they are looked at.
    pub(crate) entities: Vec<(String, String)>,
}

/// Reads a data file: goal, locale, sentence, entities, with tabs between them.
pub(crate) fn cases(file: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut columns = line.split('\t');
            let mut column = || columns.next().unwrap_or_default().to_owned();
            let (goal, locale, text, entities) = (column(), column(), column(), column());
            let pairs = entities.split("; ").filter_map(|pair| pair.split_once('='));
            Case {
                goal: (goal != "-").then_some(goal),
                locale,
                text,
                entities: pairs.map(|(field, value)| (field.to_owned(), value.to_owned())).collect(),
            }
        })
        .collect()
}

/// An intent as the data files write it: goal, confidence, entities.
pub(crate) struct Read {
    pub(crate) goal: String,
    pub(crate) confidence: f64,
    pub(crate) intent: v1::IntentOutput,
}

/// Reads one sentence.
pub(crate) fn read(lexical: &Lexical, catalog: &Catalog, text: &str, locale: &str) -> Read {
    let intent = lexical.read(Utterance { text, locale }, catalog).unwrap();
    Read { goal: format!("{}.{}", intent.primary_domain, intent.goal), confidence: intent.confidence, intent }
}

impl Read {
    /// An entity as text; empty where it was not found.
    pub(crate) fn entity(&self, field: &str) -> String {
        use prost_types::value::Kind;
        let entity = self.intent.entities.as_ref().and_then(|entities| entities.fields.get(field));
        match entity.and_then(|entity| entity.kind.as_ref()) {
            Some(Kind::StringValue(text)) => text.clone(),
            Some(Kind::NumberValue(number)) => number.to_string(),
            Some(other) => format!("{other:?}"),
            None => String::new(),
        }
    }

    /// Whether goal and entities are those of the case.
    pub(crate) fn is(&self, case: &Case) -> bool {
        case.goal.as_ref() == Some(&self.goal)
            && case.entities.iter().all(|(field, value)| self.entity(field) == *value)
    }
}
