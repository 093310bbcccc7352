//! How an agent runs, and where that is read from.

use std::{
    collections::BTreeMap,
    env::{self, VarError},
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use convoke_discovery::{normalise_endpoint, parse_url};

use crate::Error;

const REGISTRY: &str = "CONVOKE_REGISTRY";
const LISTEN: &str = "CONVOKE_AGENT_LISTEN";
const ENDPOINT: &str = "CONVOKE_AGENT_ENDPOINT";

/// How an agent runs. The defaults are those of an environment that says nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where it registers: `grpc://host:port` of an orchestrator, or `etcd://host:port[,host:port]` with the feature
    /// `etcd`. `CONVOKE_REGISTRY`, `grpc://127.0.0.1:7400` by default.
    pub registry: String,
    /// Where it listens. `CONVOKE_AGENT_LISTEN`, by default a free port on 127.0.0.1.
    pub listen: SocketAddr,
    /// Where others reach it: `http(s)://host:port` or `host:port`. `CONVOKE_AGENT_ENDPOINT`, by default where it
    /// listens.
    pub endpoint: Option<String>,
    /// Its id; empty: one is given.
    pub instance_id: String,
    /// Its zone, for balancing; may be empty.
    pub zone: String,
    /// Its weight, for balancing; 0 means 100.
    pub weight: u32,
    /// Whatever else is to be known of it.
    pub metadata: BTreeMap<String, String>,
    /// How long it is known without a keep-alive, 1 s to 60 s; zero means 10 s.
    pub ttl: Duration,
    /// How it ends.
    pub drain: Drain,
}

/// How an agent ends: DRAINING and NOT_SERVING, calls still accepted for `accept`, then those that run finish within
/// `finish`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    /// How long calls are still accepted, since not everybody has heard yet; 2 s by default.
    pub accept: Duration,
    /// How long running calls may take after that, before they are cut; 5 s by default.
    pub finish: Duration,
}

// === impl Options ===

impl Options {
    /// The options that the environment gives.
    ///
    /// # Errors
    /// [`Error::Environment`] with every mistake in it.
    pub fn from_env() -> Result<Self, Error> {
        Self::read(|name| env::var(name))
    }

    fn read(variable: impl Fn(&str) -> Result<String, VarError>) -> Result<Self, Error> {
        let mut mistakes = Vec::new();
        let mut options = Self::default();
        let mut set = |name: &str, take: &mut dyn FnMut(String) -> Result<(), String>| {
            let taken = match variable(name) {
                Ok(value) => take(value),
                Err(VarError::NotPresent) => Ok(()),
                Err(VarError::NotUnicode(_)) => Err("it is not UTF-8".into()),
            };
            if let Err(mistake) = taken {
                mistakes.push(format!("{name}: {mistake}"));
            }
        };
        set(REGISTRY, &mut |url| {
            parse_url(&url).map_err(|error| error.to_string())?;
            options.registry = url;
            Ok(())
        });
        set(LISTEN, &mut |address| {
            options.listen =
                address.parse().map_err(|_| format!("{address:?} is no address such as 127.0.0.1:5000"))?;
            Ok(())
        });
        set(ENDPOINT, &mut |endpoint| {
            options.endpoint = Some(normalise_endpoint(&endpoint).map_err(|error| error.to_string())?);
            Ok(())
        });
        if mistakes.is_empty() { Ok(options) } else { Err(Error::Environment(mistakes)) }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            registry: "grpc://127.0.0.1:7400".into(),
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            endpoint: None,
            instance_id: String::new(),
            zone: String::new(),
            weight: 0,
            metadata: BTreeMap::new(),
            ttl: Duration::ZERO,
            drain: Drain::default(),
        }
    }
}

// === impl Drain ===

impl Default for Drain {
    fn default() -> Self {
        Self { accept: Duration::from_secs(2), finish: Duration::from_secs(5) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Options, Error> {
        let variables: BTreeMap<_, _> = variables.iter().copied().collect();
        Options::read(|name| variables.get(name).map(|v| (*v).to_owned()).ok_or(VarError::NotPresent))
    }

    #[test]
    fn an_environment_that_says_nothing_gives_the_defaults() {
        let options = read(&[]).unwrap();
        assert_eq!(options, Options::default());
        assert_eq!(options.listen.to_string(), "127.0.0.1:0");
    }

    #[test]
    fn each_variable_is_read() {
        let options =
            read(&[(REGISTRY, "grpc://mesh:7400"), (LISTEN, "0.0.0.0:5000"), (ENDPOINT, "Greeter:5000")])
                .unwrap();
        assert_eq!(options.registry, "grpc://mesh:7400");
        assert_eq!(options.listen.to_string(), "0.0.0.0:5000");
        assert_eq!(options.endpoint.as_deref(), Some("http://greeter:5000"));
    }

    #[test]
    fn every_mistake_is_reported_at_once() {
        let error =
            read(&[(REGISTRY, "mesh:7400"), (LISTEN, "localhost:5000"), (ENDPOINT, "greeter")]).unwrap_err();
        let text = error.to_string();
        assert_eq!(text.lines().count(), 3, "{text}");
        for name in [REGISTRY, LISTEN, ENDPOINT] {
            assert!(text.contains(name), "{text}");
        }
    }
}
