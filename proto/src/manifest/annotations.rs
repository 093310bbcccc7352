//! Reads the options of services and methods.

use std::collections::BTreeMap;

use prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, ExtensionDescriptor, FileDescriptor, MethodDescriptor, ServiceDescriptor,
    Value,
};
use prost_types::method_options::IdempotencyLevel;

use super::{Draft, Mistakes};
use crate::{
    names,
    v1::{Capability, Domain, Goal, capability::Effects},
};

/// Reads every annotated service of the pool.
pub(super) fn read(pool: &DescriptorPool, mistakes: &mut Mistakes) -> Draft {
    let mut draft = Draft { domain_path: "(domain)".to_owned(), ..Draft::default() };
    let Some(ours) = Extensions::of(pool) else { return draft };
    let mut comments = BTreeMap::new();
    for service in pool.services() {
        let file = service.parent_file();
        let texts = comments.entry(file.name().to_owned()).or_insert_with(|| Comments::of(&file));
        read_service(&service, &ours, texts, &mut draft, mistakes);
    }
    draft
}

/// The extensions of `annotations.proto`, as this pool has them.
pub(super) struct Extensions {
    domain: ExtensionDescriptor,
    capability: ExtensionDescriptor,
    goal: ExtensionDescriptor,
    pub(super) message: ExtensionDescriptor,
    pub(super) field: ExtensionDescriptor,
    pub(super) enum_value: ExtensionDescriptor,
}

// === impl Extensions ===

impl Extensions {
    /// `None` where no file imports `annotations.proto`.
    pub(super) fn of(pool: &DescriptorPool) -> Option<Self> {
        let extension = |name: &str| pool.get_extension_by_name(&format!("convoke.v1.{name}"));
        Some(Self {
            domain: extension("domain")?,
            capability: extension("capability")?,
            goal: extension("goal")?,
            message: extension("message")?,
            field: extension("field")?,
            enum_value: extension("enum_value")?,
        })
    }
}

/// The option itself, for a repeated one its elements. Fields that our contract does not know are a mistake: to read
/// past them could change what a call does.
pub(super) fn option<M: Message + Default>(
    options: &DynamicMessage,
    extension: &ExtensionDescriptor,
    path: &str,
    mistakes: &mut Mistakes,
) -> Vec<M> {
    if !options.has_extension(extension) {
        return Vec::new();
    }
    let value = options.get_extension(extension);
    let messages = match &*value {
        Value::List(list) => list.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut read = Vec::new();
    for message in messages.iter().filter_map(Value::as_message) {
        if let Some(number) = unknown_field(message) {
            let path = format!("{path}({})", extension.name());
            mistakes
                .not_allowed(path, format!("NOT_SERVED: field {number} is not in this version's contract"));
        }
        match message.transcode_to() {
            Ok(message) => read.push(message),
            Err(error) => mistakes.format(path, format!("an option of the contract: {error}")),
        }
    }
    read
}

fn unknown_field(message: &DynamicMessage) -> Option<u32> {
    let nested = |value: &Value| match value {
        Value::Message(message) => unknown_field(message),
        Value::List(list) => list.iter().filter_map(Value::as_message).find_map(unknown_field),
        Value::Map(map) => map.values().filter_map(Value::as_message).find_map(unknown_field),
        _ => None,
    };
    let own = message.unknown_fields().next().map(|field| field.number());
    own.or_else(|| message.fields().find_map(|(_, value)| nested(value)))
}

fn read_service(
    service: &ServiceDescriptor,
    ours: &Extensions,
    comments: &Comments,
    draft: &mut Draft,
    mistakes: &mut Mistakes,
) {
    let name = service.name();
    let domain: Option<Domain> = option(&service.options(), &ours.domain, name, mistakes).pop();
    let declares_domain = domain.is_some();
    if let Some(mut domain) = domain {
        comments.fill(&mut domain.description, service.path());
        declare_domain(domain, format!("{name}(domain)"), draft, mistakes);
    }
    let before = draft.manifest.capabilities.len();
    for method in service.methods() {
        read_method(&method, ours, comments, draft, mistakes);
    }
    if !declares_domain && draft.manifest.capabilities.len() > before {
        let expected = "the option (convoke.v1.domain): its methods are capabilities";
        mistakes.missing(format!("{name}(domain)"), expected);
    }
}

fn declare_domain(domain: Domain, path: String, draft: &mut Draft, mistakes: &mut Mistakes) {
    match &draft.manifest.domain {
        None => {
            draft.manifest.domain = Some(domain);
            draft.domain_path = path;
        }
        Some(first) if (&first.name, &first.version) != (&domain.name, &domain.version) => {
            let expected = format!("the name and version of {}: an agent is one domain", draft.domain_path);
            mistakes.not_allowed(path, expected);
        }
        Some(_) => {}
    }
}

fn read_method(
    method: &MethodDescriptor,
    ours: &Extensions,
    comments: &Comments,
    draft: &mut Draft,
    mistakes: &mut Mistakes,
) {
    let place = format!("{}.{}", method.parent_service().name(), method.name());
    let options = method.options();
    let annotated: Option<Capability> = option(&options, &ours.capability, &place, mistakes).pop();
    let path = format!("{place}(capability)");
    let capability = annotated.map(|mut capability| {
        comments.fill(&mut capability.description, method.path());
        completed(capability, method, &path, mistakes)
    });
    let own = capability.as_ref().map(|capability| capability.name.clone()).unwrap_or_default();
    if let Some(capability) = capability {
        draft.manifest.capabilities.push(capability);
        draft.capability_paths.push(path);
    }
    for (i, mut goal) in option::<Goal>(&options, &ours.goal, &place, mistakes).into_iter().enumerate() {
        fill(&mut goal.capability, &own);
        fill(&mut goal.entities_type, method.input().full_name());
        draft.manifest.goals.push(goal);
        draft.goal_paths.push(format!("{place}(goal)[{i}]"));
    }
}

/// Fills in what the descriptors say, which an annotation must not.
fn completed(
    mut capability: Capability,
    method: &MethodDescriptor,
    path: &str,
    mistakes: &mut Mistakes,
) -> Capability {
    let read_off = [
        ("method", &mut capability.method, path_of(method)),
        ("input_type", &mut capability.input_type, method.input().full_name().to_owned()),
        ("output_type", &mut capability.output_type, method.output().full_name().to_owned()),
    ];
    for (field, value, actual) in read_off {
        if !value.is_empty() {
            mistakes.not_allowed(format!("{path}.{field}"), "nothing: it is read off the descriptors");
        }
        *value = actual;
    }
    fill(&mut capability.name, &names::snake_case(method.name()));
    if capability.effects() == Effects::Unspecified && capability.effects == 0 {
        capability.set_effects(effects(method));
    }
    capability
}

/// What the standard `idempotency_level` says; nothing said is NON_IDEMPOTENT.
pub(super) fn effects(method: &MethodDescriptor) -> Effects {
    let level = method.method_descriptor_proto().options.as_ref().map(|options| options.idempotency_level());
    match level {
        Some(IdempotencyLevel::NoSideEffects) => Effects::ReadOnly,
        Some(IdempotencyLevel::Idempotent) => Effects::Idempotent,
        Some(IdempotencyLevel::IdempotencyUnknown) | None => Effects::NonIdempotent,
    }
}

fn path_of(method: &MethodDescriptor) -> String {
    format!("/{}/{}", method.parent_service().full_name(), method.name())
}

/// `Units.ConvertUnits` of `/units.v1.Units/ConvertUnits`.
pub(super) fn short(path: &str) -> Option<String> {
    let (service, method) = path.strip_prefix('/')?.split_once('/')?;
    Some(format!("{}.{method}", service.rsplit('.').next().unwrap_or(service)))
}

fn fill(text: &mut String, default: &str) {
    if text.is_empty() {
        default.clone_into(text);
    }
}

/// The comments of one file, by the path of what they are about. Empty where source info was lost.
struct Comments(BTreeMap<Vec<i32>, String>);

// === impl Comments ===

impl Comments {
    /// Services and methods only: paths of two and four elements under field 6.
    fn of(file: &FileDescriptor) -> Self {
        let info = file.file_descriptor_proto().source_code_info.as_ref();
        let locations = info.map(|info| info.location.as_slice()).unwrap_or_default();
        let described = locations.iter().filter(|at| matches!(at.path.as_slice(), [6, _] | [6, _, 2, _]));
        let texts = described.filter_map(|at| {
            let text = at.leading_comments.as_deref().or(at.trailing_comments.as_deref())?;
            let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            Some((at.path.clone(), lines.join(" ")))
        });
        Self(texts.collect())
    }

    fn fill(&self, description: &mut String, path: &[i32]) {
        fill(description, self.0.get(path).map(String::as_str).unwrap_or_default());
    }
}
