//! Sentences, intents and plans over real manifests: annotated protos, admitted into a catalog.

mod agents;
mod held_out;
mod planner;
mod support;
