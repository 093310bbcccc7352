//! Names that exist and resemble one that does not.

use crate::Catalog;

/// How many names are offered.
const SHOWN: usize = 5;
/// Below this, a name resembles the other only by accident (Jaro–Winkler, 0 to 1).
const ALIKE: f64 = 0.7;
/// No name of the mesh is longer than 63 letters; comparing takes the product of the lengths.
const COMPARED: usize = 128;

/// Capabilities as `domain.capability` that the name may have been meant for, the likeliest first.
pub(crate) fn alike(catalog: &Catalog, domain: &str, name: &str) -> Vec<String> {
    named(catalog, domain, name, ALIKE)
}

/// Capabilities as `domain.capability`, the nearest that there are, however far: what a caller can choose from.
pub(crate) fn offered(catalog: &Catalog, domain: &str, name: &str) -> Vec<String> {
    named(catalog, domain, name, 0.0)
}

/// Names within two edits come before others that are alike; among equals, those of the domain that was asked for.
fn named(catalog: &Catalog, domain: &str, name: &str, least: f64) -> Vec<String> {
    const EDITS: usize = 2;
    let wanted: String = name.chars().take(COMPARED).collect();
    let mut found: Vec<(usize, bool, f64, String)> = catalog
        .domains
        .iter()
        .flat_map(|(home, view)| view.names().map(move |known| (home, known)))
        .filter_map(|(home, known)| {
            let edits = strsim::levenshtein(&wanted, known).min(EDITS + 1);
            let alike = strsim::jaro_winkler(&wanted, known);
            let close = edits <= EDITS || alike >= least;
            close.then(|| (edits, **home != *domain, -alike, format!("{home}.{known}")))
        })
        .collect();
    found.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then_with(|| a.3.cmp(&b.3)));
    found.into_iter().take(SHOWN).map(|(.., full_name)| full_name).collect()
}
