//! What an operator decides, parsed by nobody here: the command line fills a [`Config`] from flags and
//! environment, and [`Config::check`] reports every mistake in it at once, before anything is bound.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use convoke_discovery::RegistryUrl;
use convoke_proto::names;

/// The port that agents and clients look for when nobody told them another.
pub const DEFAULT_PORT: u16 = 7400;

/// Everything that can be decided about one orchestrator.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Where the doors listen. Port 0 takes a free one ([`crate::Server::local_addr`] says which). Default
    /// `127.0.0.1:7400`.
    pub listen: SocketAddr,
    /// Allows `listen` to be no loopback address although nothing is encrypted and nobody authenticated.
    pub insecure_listen: bool,
    /// Where instances are kept: in this process (the default), or in etcd.
    pub registry: RegistryUrl,
    /// Which mesh of a shared registry this is. Default `default`.
    pub namespace: String,
    /// The name of this orchestrator, the first half of its execution ids. Default: a random one.
    pub id: String,
    /// Which addresses an agent may register through the `Registry` service. Default: loopback only.
    pub agent_endpoints: AgentEndpoints,
    /// Confidence below which a sentence is answered with a question, 0 to 1. `None`: what was measured for
    /// the lexical adapter.
    pub confidence_threshold: Option<f64>,
    /// What is bounded, and where.
    pub limits: Limits,
    /// How long things may take.
    pub timeouts: Timeouts,
}

/// Whom the orchestrator dials because somebody asked it to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AgentEndpoints {
    /// `127.0.0.0/8`, `::1` and `localhost`.
    #[default]
    Loopback,
    /// Any address or name.
    Any,
}

/// Bounds on what the process holds at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections; one more waits until another is closed. Default 4096.
    pub connections: usize,
    /// Requests that are being answered; one more is refused with RATE_LIMIT. Default 1024.
    pub requests: usize,
    /// Streams that stay open (watches, keep-alives, reflection, health); one more is refused. Default 8192.
    pub streams: usize,
    /// Calls to agents in flight, over all executions; one more waits for its turn. Default 1024.
    pub calls: usize,
    /// Steps in one plan. Default 100.
    pub steps: usize,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// An execution for which nobody gave a shorter time. Default 60 s.
    pub execution: Duration,
    /// From the start of a drain to the end of the process's work, whatever is open. Default 9 s, so that
    /// it is over within 10.
    pub drain: Duration,
}

/// Every mistake in a configuration, each with the setting it is in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct ConfigError(pub Vec<String>);

// === impl Config ===

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), DEFAULT_PORT),
            insecure_listen: false,
            registry: RegistryUrl::Memory,
            namespace: "default".to_owned(),
            id: random_id(),
            agent_endpoints: AgentEndpoints::default(),
            confidence_threshold: None,
            limits: Limits::default(),
            timeouts: Timeouts::default(),
        }
    }
}

impl Config {
    /// Looks at every setting.
    ///
    /// # Errors
    /// All mistakes, not the first.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Self {
            listen,
            insecure_listen,
            registry,
            namespace,
            id,
            agent_endpoints: AgentEndpoints::Loopback | AgentEndpoints::Any,
            confidence_threshold,
            limits,
            timeouts,
        } = self;
        let mut mistakes = Vec::new();
        if !listen.ip().to_canonical().is_loopback() && !insecure_listen {
            mistakes.push(format!(
                "listen: {listen} can be reached from other machines, and the doors neither encrypt nor \
                 authenticate; listen on a loopback address, or allow it with --insecure-listen"
            ));
        }
        if let RegistryUrl::Grpc(address) = registry {
            mistakes.push(format!(
                "registry: grpc://{address} is where agents find an orchestrator; one itself keeps instances \
                 in memory or in etcd://host:port"
            ));
        }
        for (setting, name) in [("namespace", namespace), ("id", id)] {
            if !names::valid_instance(name) {
                mistakes.push(format!("{setting}: {name:?} does not match [a-z][a-z0-9-]{{0,62}}"));
            }
        }
        if confidence_threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
            mistakes.push("confidence_threshold: not between 0 and 1".to_owned());
        }
        mistakes.extend(limits.mistakes());
        mistakes.extend(timeouts.mistakes());
        if mistakes.is_empty() { Ok(()) } else { Err(ConfigError(mistakes)) }
    }
}

/// A name that no other orchestrator of the mesh has: ids of executions must not collide.
fn random_id() -> String {
    let suffix: String = (0..8).map(|_| fastrand::char('a'..='z')).collect();
    format!("orchestrator-{suffix}")
}

// === impl Limits ===

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 4096, requests: 1024, streams: 8192, calls: 1024, steps: 100 }
    }
}

impl Limits {
    /// The most that a semaphore of tokio holds, and more than any machine serves.
    const MOST: usize = 1 << 20;

    fn mistakes(&self) -> impl Iterator<Item = String> {
        let Self { connections, requests, streams, calls, steps } = *self;
        [
            ("connections", connections),
            ("requests", requests),
            ("streams", streams),
            ("calls", calls),
            ("steps", steps),
        ]
        .into_iter()
        .filter(|(_, limit)| !(1..=Self::MOST).contains(limit))
        .map(|(name, limit)| format!("limits.{name}: {limit} is not between 1 and {}", Self::MOST))
    }
}

// === impl Timeouts ===

impl Default for Timeouts {
    fn default() -> Self {
        Self { execution: Duration::from_secs(60), drain: Duration::from_secs(9) }
    }
}

impl Timeouts {
    /// A day: longer than anybody waits, and far from every overflow.
    const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

    fn mistakes(&self) -> impl Iterator<Item = String> {
        let Self { execution, drain } = *self;
        [("execution", execution), ("drain", drain)]
            .into_iter()
            .filter(|(_, time)| time.is_zero() || *time > Self::LONGEST)
            .map(|(name, time)| format!("timeouts.{name}: {time:?} is not more than 0 and at most a day"))
    }
}

// === impl AgentEndpoints ===

impl FromStr for AgentEndpoints {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "loopback" => Ok(Self::Loopback),
            "any" => Ok(Self::Any),
            _ => Err(format!("{text:?} is neither loopback nor any")),
        }
    }
}

impl fmt::Display for AgentEndpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loopback => "loopback",
            Self::Any => "any",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_valid_and_listens_on_loopback_7400() {
        let config = Config::default();
        assert_eq!(config.check(), Ok(()));
        assert_eq!(config.listen, "127.0.0.1:7400".parse().unwrap());
    }

    #[test]
    fn an_open_address_is_refused_unless_it_is_allowed() {
        for open in ["0.0.0.0:7400", "[::]:7400", "192.0.2.1:7400"] {
            let config = Config { listen: open.parse().unwrap(), ..Config::default() };
            let error = config.check().unwrap_err();
            assert!(error.0[0].contains(open) && error.0[0].contains("--insecure-listen"), "{error}");
            assert_eq!(Config { insecure_listen: true, ..config }.check(), Ok(()));
        }
        for closed in ["127.8.0.1:0", "[::1]:0", "[::ffff:127.0.0.1]:0"] {
            assert_eq!(Config { listen: closed.parse().unwrap(), ..Config::default() }.check(), Ok(()));
        }
    }

    #[test]
    fn all_mistakes_are_reported_at_once() {
        let config = Config {
            namespace: "No".to_owned(),
            id: String::new(),
            confidence_threshold: Some(f64::NAN),
            limits: Limits { requests: 0, ..Limits::default() },
            timeouts: Timeouts { drain: Duration::ZERO, ..Timeouts::default() },
            ..Config::default()
        };
        assert_eq!(config.check().unwrap_err().0.len(), 5);
    }

    #[test]
    fn an_orchestrator_is_no_registry_for_another() {
        let registry = "grpc://127.0.0.1:7400".parse().unwrap();
        assert!(Config { registry, ..Config::default() }.check().is_err());
    }
}
