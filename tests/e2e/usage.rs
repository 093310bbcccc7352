//! Help, and what is said when a command is used wrongly.

use convoke_tests::convoke;

use crate::values::text;

#[tokio::test]
async fn every_command_has_help_with_an_example() {
    let commands = ["dev", "serve", "ask", "plan", "verify", "run", "call", "agents", "capabilities"];
    for command in commands {
        let help = convoke(&[command, "--help"]).await;
        assert_eq!(help.code, 0, "{command}");
        assert!(help.stdout.contains("Examples:"), "{command} has no example: {}", help.stdout);
    }
    let all = convoke(&["--help"]).await;
    assert!(all.stdout.contains("Exit codes:"), "{}", all.stdout);
}

#[tokio::test]
async fn without_a_mesh_a_command_says_what_to_start() {
    // Nothing listens on the discard port of loopback here.
    let human = convoke(&["agents", "--to", "127.0.0.1:9"]).await;
    assert_eq!(human.code, 1, "{human:#?}");
    assert!(human.stderr.contains("convoke dev"), "{human:#?}");

    let json = convoke(&["agents", "--json", "--to", "127.0.0.1:9"]).await.exits(1);
    assert_eq!(text(&json, "/error/category"), "SERVICE_ERROR");
}

#[tokio::test]
async fn an_unknown_command_or_file_is_a_usage_error() {
    assert_eq!(convoke(&["aks", "hello"]).await.code, 2);
    let absent = convoke(&["verify", "--embedded", "no-such-plan.json"]).await;
    assert_eq!(absent.code, 2, "{absent:#?}");
    assert!(absent.stderr.contains("no-such-plan.json"), "{absent:#?}");
}

#[tokio::test]
async fn a_program_reads_of_a_usage_error_what_it_reads_of_any_other() {
    for arguments in [&["agents", "--json", "--bogus"][..], &["ask", "--json"], &["plan", "x", "y", "--json"]]
    {
        let wrong = convoke(arguments).await;
        assert!(!wrong.stderr.is_empty(), "{wrong:#?}");
        let json = wrong.exits(2);
        assert_eq!(text(&json, "/error/code"), "USAGE");
        assert_eq!(text(&json, "/error/category"), "INPUT_ERROR");
    }
    // Behind `--` it is a word of the sentence.
    assert_eq!(convoke(&["ask", "--", "--json", "y"]).await.stdout, "");
}
