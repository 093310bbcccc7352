//! How a command ends: the exit codes, and the failures behind them.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | success |
//! | 1 | every other failure |
//! | 2 | usage, or the orchestrator refused what it was given |
//! | 3 | clarification: the mesh asks back |

use std::process::ExitCode;

use convoke_proto::status;
use convoke_proto::v1::{DomainOutput, PlanReport, ToolError, domain_output, plan_report};

/// What a command that ran to its end tells the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The work is done.
    Success,
    /// It failed for a reason that is not the caller's input.
    Failed,
    /// The input was refused: usage, parameters, plan or name of a capability.
    Refused,
    /// The mesh needs an answer before it can go on.
    Clarification,
}

/// Why a command has no answer to print.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The mesh, or the command's own reading of its input, answered with a typed error.
    Tool { error: Box<ToolError>, plan_report: Option<PlanReport> },
    /// What the caller gave cannot be used: a file that is not there, a text that is no address.
    Usage(anyhow::Error),
    /// Nobody reads any further, as with `convoke … | head`.
    Closed,
    /// Everything else.
    Other(anyhow::Error),
}

/// How a command ends: with an exit, or with a failure that is still to be printed.
pub(crate) type Ending = Result<Exit, Failure>;

/// The codes with which the orchestrator says that it was given something it cannot run.
const REFUSALS: [&str; 4] =
    ["PARAMETERS_INVALID", "PLAN_INVALID", "CAPABILITY_NOT_FOUND", "CAPABILITY_AMBIGUOUS"];

// === impl Exit ===

impl Exit {
    /// The exit of an answer that holds an output.
    pub(crate) fn of_output(output: Option<&DomainOutput>) -> Self {
        use domain_output::Status;
        let Some(output) = output else { return Self::Failed };
        match output.status() {
            Status::Success => Self::Success,
            Status::Clarification => Self::Clarification,
            Status::Failure => output.error.as_ref().map_or(Self::Failed, Self::of_error),
            Status::Unspecified => Self::Failed,
        }
    }

    /// The exit of a verification: refused where a finding is an error.
    pub(crate) fn of_report(report: Option<&PlanReport>) -> Self {
        let refused = report.is_some_and(|report| {
            report.findings.iter().any(|finding| finding.severity() == plan_report::Severity::Error)
        });
        if refused { Self::Refused } else { Self::Success }
    }

    fn of_error(error: &ToolError) -> Self {
        if REFUSALS.contains(&error.code.as_str()) { Self::Refused } else { Self::Failed }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::Failed => Self::from(1),
            Exit::Refused => Self::from(2),
            Exit::Clarification => Self::from(3),
        }
    }
}

// === impl Failure ===

impl Failure {
    /// A typed error without a report.
    pub(crate) fn tool(error: ToolError) -> Self {
        Self::Tool { error: Box::new(error), plan_report: None }
    }

    /// The exit code that this failure stands for.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Tool { error, .. } => Exit::of_error(error),
            Self::Usage(_) => Exit::Refused,
            Self::Other(_) | Self::Closed => Exit::Failed,
        }
    }
}

impl From<tonic::Status> for Failure {
    fn from(refusal: tonic::Status) -> Self {
        let details = status::details(&refusal);
        let error = details.tool_error.unwrap_or_else(|| status::from_status(&refusal));
        Self::Tool { error: Box::new(error), plan_report: details.plan_report }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Other(error.into()) }
    }
}
