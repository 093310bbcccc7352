//! Does nothing: it is here because only a package with a build script can name a build-dependency, and naming
//! `protoc-bin-vendored` is what makes cargo unpack it for `etcd-client` (see `.cargo/protoc`).

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
