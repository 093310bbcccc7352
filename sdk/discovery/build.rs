//! build
fn main() {}
