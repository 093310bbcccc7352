//! Constraints.
#[derive(Debug)]
pub(crate) struct Constraints;
#[derive(Debug)]
pub(crate) struct ElementRules {
    pub(crate) allowed_texts: Vec<String>,
}
