//! Integers of 64 bits keep every digit on each way from a person's file or command line to the agent.

use convoke_tests::convoke;
use prost_reflect::{DynamicMessage, Value as Field};
use serde_json::{Value, json};

use crate::cases::Table;
use crate::mesh::Mesh;

/// Beyond 2^53, where every double is even; the ends of both types.
const IDS: [i64; 3] = [9_007_199_254_740_993, i64::MIN, i64::MAX];
const COUNTS: [u64; 2] = [9_007_199_254_740_993, u64::MAX];

/// The agent's mesh, and what its last call said.
struct Heard {
    table: Table,
    mesh: Mesh,
}

// === impl Heard ===

impl Heard {
    async fn start() -> Self {
        let table = Table::read();
        let mesh = Mesh::start(table.descriptors.clone()).await;
        Self { table, mesh }
    }

    /// `convoke ARGUMENTS --json` has to succeed; what it printed, and the field of that name as the agent heard it.
    async fn after(&self, arguments: &[&str], field: &str) -> (Value, Field) {
        let mut all = arguments.to_vec();
        all.extend(["--json", "--to", &self.mesh.address]);
        let printed = convoke(&all).await.exits(0);
        let heard = self.mesh.echo.take().expect("the agent was called");
        let descriptor = self.table.pool.get_message_by_name("cases.v1.Scalars").unwrap();
        let message = DynamicMessage::decode(descriptor, heard).unwrap();
        (printed, message.get_field_by_name(field).unwrap().into_owned())
    }
}

/// A plan of two steps: the second takes its number from the first one's result.
fn plan(field: &str, number: &str) -> tempfile::NamedTempFile {
    // Written by hand: the number stands in the file as a person writes it.
    let text = format!(
        r#"{{"steps": [
            {{"id": "1", "domain": "echo", "capability": "scalars", "params": {{"{field}": {number}}}}},
            {{"id": "2", "domain": "echo", "capability": "scalars", "params": {{"{field}": "${{1.result.{field}}}"}}}}]}}"#
    );
    let file = tempfile::Builder::new().suffix(".json").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

#[tokio::test]
async fn ids_reach_the_agent_exact_by_command_by_file_and_by_reference() {
    let heard = Heard::start().await;
    let signed = IDS.iter().map(|id| ("i64", id.to_string(), Field::I64(*id)));
    let unsigned = COUNTS.iter().map(|count| ("u64", count.to_string(), Field::U64(*count)));
    for (field, number, expected) in signed.chain(unsigned) {
        let parameters = format!("{{\"{field}\": {number}}}");
        let (printed, called) = heard.after(&["call", "echo.scalars", &parameters], field).await;
        assert_eq!(called, expected, "{printed:#}");
        // As protobuf JSON has it.
        assert_eq!(printed["output"]["result"][field], json!(number), "{printed:#}");

        let file = plan(field, &number);
        let (printed, referenced) = heard.after(&["run", &file.path().to_string_lossy()], field).await;
        assert_eq!(referenced, expected, "{printed:#}");
    }
    heard.mesh.end().await;
}
