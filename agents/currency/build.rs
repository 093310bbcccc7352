//! Compiles the agent's proto.

fn main() {
    convoke_build::compile("proto/currency.proto");
}
