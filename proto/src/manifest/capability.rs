//! The rules of `(capability)`.

use std::{collections::BTreeSet, time::Duration};

use prost_reflect::{DescriptorPool, MethodDescriptor};

use super::{Draft, Mistakes, goal};
use crate::{
    descriptors::service_of,
    names,
    v1::{Capability, Limits, capability::Effects},
};

pub(super) fn judge(draft: &Draft, pool: &DescriptorPool, mistakes: &mut Mistakes) {
    if draft.manifest.capabilities.is_empty() {
        let expected = "at least one method with the option (convoke.v1.capability)";
        mistakes.missing("capabilities", expected);
    }
    let mut taken = BTreeSet::new();
    for (capability, path) in draft.manifest.capabilities.iter().zip(&draft.capability_paths) {
        if !names::valid_capability(&capability.name) {
            mistakes.format(format!("{path}.name"), "a name like [a-z][a-z0-9_.-]{0,62}");
        } else if !taken.insert(capability.name.as_str()) {
            mistakes.duplicate(format!("{path}.name"), &capability.name);
        }
        if Effects::try_from(capability.effects).is_err() {
            mistakes.format(format!("{path}.effects"), "effects of the contract");
        }
        judge_binding(capability, path, pool, mistakes);
        judge_served(capability, path, mistakes);
        if let Some(limits) = &capability.limits {
            judge_limits(limits, &format!("{path}.limits"), mistakes);
        }
        let input = pool.get_message_by_name(&capability.input_type);
        goal::judge_hints(&capability.intent_hints, input.as_ref(), path, mistakes);
    }
}

/// The method of that path.
pub(super) fn method(pool: &DescriptorPool, path: &str) -> Option<MethodDescriptor> {
    let service = pool.get_service_by_name(service_of(path))?;
    let name = path.rsplit('/').next()?;
    service.methods().find(|method| method.name() == name)
}

fn judge_binding(capability: &Capability, path: &str, pool: &DescriptorPool, mistakes: &mut Mistakes) {
    if capability.method.is_empty() {
        mistakes.not_served(format!("{path}.method (empty: the generic binding)"));
        return;
    }
    let Some(method) = method(pool, &capability.method) else {
        let expected = "a method of the descriptors, like /units.v1.Units/ConvertUnits";
        mistakes.format(format!("{path}.method"), expected);
        return;
    };
    if method.is_client_streaming() {
        mistakes.not_allowed(path, "a unary method: a capability takes one request");
    } else if method.is_server_streaming() {
        mistakes.not_served(format!("{path} (a streaming method)"));
    }
    if method.input().full_name() != capability.input_type {
        let expected = format!("{}, which the method takes", method.input().full_name());
        mistakes.format(format!("{path}.input_type"), expected);
    }
    if method.output().full_name() != capability.output_type {
        let expected = format!("{}, which the method returns", method.output().full_name());
        mistakes.format(format!("{path}.output_type"), expected);
    }
}

/// Names every option, so that one that is added to the contract is decided on here.
fn judge_served(capability: &Capability, path: &str, mistakes: &mut Mistakes) {
    let Capability {
        name: _,
        description: _,
        effects: _,
        key_scope,
        key_window,
        requires_approval,
        intent_hints: _,
        decomposition,
        composition,
        flow,
        limits: _,
        tags: _,
        examples: _,
        stream_result,
        collect_max,
        cache_ttl,
        method: _,
        input_type: _,
        output_type: _,
    } = capability;
    let unserved = [
        ("key_scope", *key_scope != 0),
        ("key_window", key_window.is_some()),
        ("requires_approval", *requires_approval),
        ("decomposition", decomposition.is_some()),
        ("composition", composition.is_some()),
        ("flow", flow.is_some()),
        ("stream_result", *stream_result != 0),
        ("collect_max", *collect_max != 0),
        ("cache_ttl", cache_ttl.is_some()),
    ];
    for (option, _) in unserved.iter().filter(|(_, set)| *set) {
        mistakes.not_served(format!("{path}.{option}"));
    }
}

fn judge_limits(limits: &Limits, path: &str, mistakes: &mut Mistakes) {
    let Limits { max_in_flight, per_second, max_calls_per_execution, attempt_timeout } = limits;
    let unserved = [
        ("max_in_flight", *max_in_flight != 0),
        ("per_second", *per_second != 0.0),
        ("max_calls_per_execution", *max_calls_per_execution != 0),
    ];
    for (option, _) in unserved.iter().filter(|(_, set)| *set) {
        mistakes.not_served(format!("{path}.{option}"));
    }
    let positive = |wait: &prost_types::Duration| Duration::try_from(*wait).is_ok_and(|wait| !wait.is_zero());
    if attempt_timeout.as_ref().is_some_and(|wait| !positive(wait)) {
        mistakes.format(format!("{path}.attempt_timeout"), "a duration greater than zero");
    }
}
