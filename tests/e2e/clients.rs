//! Clients and agents in Python, with stock tools and our proto files alone.

use std::path::Path;

use convoke_tests::{Agent, Mesh, python, python_stubs, repository};
use tempfile::TempDir;

use crate::values::{newest_rate, number, text};

async fn ask(stubs: &TempDir, mesh: &Mesh, sentence: &str) -> convoke_tests::Output {
    let client = repository().join("tests/clients/ask.py");
    std::fs::copy(client, stubs.path().join("ask.py")).expect("the client can be copied");
    python(stubs.path(), &["ask.py", sentence, mesh.address()]).await
}

#[tokio::test]
async fn the_readmes_client_prints_the_answer_and_the_decoded_error() {
    let (stubs, mesh) = (python_stubs(&[]).await, Mesh::serve().await);
    let _currency = Agent::currency(&mesh.registry());
    mesh.sees("currency").await;

    let answer = ask(&stubs, &mesh, "Convert 250 Euro to yen").await;
    assert_eq!(answer.code, 0, "{answer:#?}");
    assert!(answer.stdout.contains(&newest_rate("JPY").0), "{answer:#?}");

    let failed = ask(&stubs, &mesh, "Convert 250 Euro to gold bars").await;
    assert_ne!(failed.code, 0, "{failed:#?}");
    assert!(failed.stderr.contains("NOT_FOUND"), "{failed:#?}");

    let refused = ask(&stubs, &mesh, "").await;
    assert_ne!(refused.code, 0, "{refused:#?}");
    assert!(refused.stderr.contains("INPUT_ERROR"), "{refused:#?}");
}

#[test]
fn the_readme_shows_the_files_that_are_run() {
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("a README");
    let greeter = Path::new("sdk/rust/examples/greeter");
    let shown = [
        Path::new("tests/clients/ask.py").to_owned(),
        greeter.join("proto/greeter.proto"),
        greeter.join("build.rs"),
        greeter.join("src/main.rs"),
    ];
    for path in shown {
        let file = std::fs::read_to_string(repository().join(&path)).expect("the file is there");
        assert!(readme.contains(file.trim()), "the README does not show {} as it is", path.display());
    }
    let client = std::fs::read_to_string(repository().join("tests/clients/ask.py")).expect("the client");
    assert!(client.lines().count() <= 20, "the client is a page, not a program");
}

#[tokio::test]
async fn a_service_that_nobody_has_seen_is_listed_asked_coerced_and_called() {
    let mesh = Mesh::serve().await;
    let stubs = python_stubs(&[&repository().join("tests/fixtures/moon/moon.proto")]).await;
    let _moon = Agent::moon(&mesh.registry(), stubs.path());
    let instance = mesh.sees("moon").await;

    let listed = mesh.convoke(&["capabilities", "--json", "--domain", "moon"]).await.exits(0);
    let name = text(&listed, "/capabilities/0/capability/name").to_owned();
    assert_eq!(mesh.agents("moon").await[0]["instance"]["id"], instance.id.as_str());
    // The full moon of 2000-01-21, 04:40 UTC.
    let called = mesh.convoke(&["call", "--json", &name, r#"{"Date": "2000-01-21"}"#]).await.exits(0);
    assert_eq!(text(&called, "/step/coercion/entries/0/rule"), "FIELD_SPELLING");
    assert!(number(&called, "/output/result/days/0/lit") > 0.97, "{called:#}");
    let asked = mesh.convoke(&["ask", "--json", "phase of the moon on 2000-01-21"]).await.exits(0);
    assert_eq!(text(&asked, "/steps/0/domain"), "moon");
}
