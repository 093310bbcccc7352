//! How long verifying a plan takes.

fn main() {
    divan::main();
}
