//! Compiles the annotated proto.
fn main() {
    convoke_build::compile("proto/greeter.proto");
}
