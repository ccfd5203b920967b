//! A lookup of the parameters that track on a site, without a walk over the list.
//!
//! The format lists parameters and sites in groups, and each parameter of a group counts on each site of the
//! group. The groups are kept, because the number of pairs in a hostile group would be the square of its
//! length. `tracking` reads a list.

use std::cmp::Ordering;

use serde::Deserialize;

/// Parameters that track on the same sites: a value of the JSON object.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object of `queryParams` and `topLevelSites`")]
pub(super) struct Group {
    #[serde(rename = "queryParams")]
    pub(super) parameters: Vec<String>,
    #[serde(rename = "topLevelSites")]
    pub(super) sites: Vec<String>,
}

/// The groups of a list, by parameter and by site.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tracked {
    /// In ascending order of the names in lower case, each once.
    parameters: Vec<Parameter>,
    /// The groups of each site, in ascending order, with each site once.
    sites: Vec<(Box<[u8]>, Vec<u32>)>,
    /// The parameters of each group, as indexes of `parameters`.
    groups: Vec<Vec<u32>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Parameter {
    name: Box<[u8]>,
    is_everywhere: bool,
    /// The groups of the parameter, in ascending order.
    groups: Vec<u32>,
}

/// The parameters that track on one site.
pub(super) struct OnSite<'t> {
    tracked: &'t Tracked,
    groups: &'t [u32],
    /// The indexes of their parameters, in ascending order. It is used if the groups are too many to be
    /// searched for each parameter.
    together: Vec<u32>,
}

/// The number of a site's groups up to which they are searched one by one. In real lists a site is in one
/// group.
const FEW: usize = 4;

impl Tracked {
    pub(super) fn new(groups: Vec<Group>) -> Self {
        let names = groups.iter().flat_map(|group| &group.parameters);
        let mut parameters: Vec<Parameter> = names
            .map(|name| {
                let name = name.to_ascii_lowercase().into_bytes().into();
                Parameter { name, is_everywhere: false, groups: Vec::new() }
            })
            .collect();
        parameters.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        parameters.dedup_by(|a, b| a.name == b.name);
        let mut tracked = Self { parameters, sites: Vec::new(), groups: Vec::with_capacity(groups.len()) };
        let mut sites = Vec::new();
        for (number, group) in (0..).zip(groups) {
            let is_everywhere = group.sites.iter().any(|site| site == "*");
            let mut places: Vec<u32> =
                group.parameters.iter().filter_map(|name| tracked.place(name.as_bytes())).collect();
            places.sort_unstable();
            places.dedup();
            for &place in &places {
                let parameter = &mut tracked.parameters[place as usize];
                parameter.is_everywhere |= is_everywhere;
                parameter.groups.push(number);
            }
            tracked.groups.push(places);
            sites.extend(group.sites.into_iter().map(|site| (Box::from(site.into_bytes()), number)));
        }
        // The order is by site and then by number, so the groups of each site are ascending.
        sites.sort_unstable();
        sites.dedup();
        for (site, number) in sites {
            match tracked.sites.last_mut() {
                Some((last, groups)) if *last == site => groups.push(number),
                _ => tracked.sites.push((site, vec![number])),
            }
        }
        tracked
    }

    /// Returns the parameters that track on a host.
    pub(super) fn on(&self, host: &[u8]) -> OnSite<'_> {
        let site = self.sites.binary_search_by(|(site, _)| (**site).cmp(host));
        let groups = site.map_or(&[][..], |place| &self.sites[place].1);
        let mut together = Vec::new();
        if groups.len() > FEW {
            together.extend(groups.iter().flat_map(|&group| &self.groups[group as usize]));
            together.sort_unstable();
            together.dedup();
        }
        OnSite { tracked: self, groups, together }
    }

    /// Returns the index of a parameter, ignoring its case.
    fn place(&self, parameter: &[u8]) -> Option<u32> {
        let found = self.parameters.binary_search_by(|known| compare_lowered(&known.name, parameter));
        // A list has at most 2^20 bytes, and therefore fewer parameters.
        found.ok().map(|place| place as u32)
    }
}

impl OnSite<'_> {
    /// Returns whether a parameter tracks there, ignoring its case.
    pub(super) fn contains(&self, parameter: &[u8]) -> bool {
        let Some(place) = self.tracked.place(parameter) else { return false };
        let parameter = &self.tracked.parameters[place as usize];
        parameter.is_everywhere
            || if self.together.is_empty() {
                self.groups.iter().any(|group| parameter.groups.binary_search(group).is_ok())
            } else {
                self.together.binary_search(&place).is_ok()
            }
    }
}

/// Compares a text in lower case with the lower case of `other`.
fn compare_lowered(lower: &[u8], other: &[u8]) -> Ordering {
    lower.iter().copied().cmp(other.iter().map(u8::to_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(parameters: &[&str], sites: &[&str]) -> Group {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        Group { parameters: owned(parameters), sites: owned(sites) }
    }

    /// Every choice of groups out of some that overlap, against a walk over them.
    #[test]
    fn only_parameters_named_by_a_group_are_tracking() {
        let all = [
            group(&["A", "b"], &["x"]),
            group(&["b", "B", "c"], &["y", "x", "x"]),
            group(&["c"], &["*", "z"]),
            group(&["a", "d"], &["y"]),
            group(&["e"], &["x"]),
            group(&["f", "a"], &["x", "z"]),
            group(&["g"], &["x", "y"]),
            group(&[], &["x"]),
            group(&["h"], &[]),
        ];
        for chosen in 0_u32..1 << all.len() {
            let groups: Vec<&Group> =
                (0..all.len()).filter(|bit| chosen >> bit & 1 == 1).map(|bit| &all[bit]).collect();
            let tracked = Tracked::new(groups.iter().copied().cloned().collect());
            for host in ["w", "x", "y", "z", "*", ""] {
                let on = tracked.on(host.as_bytes());
                for parameter in ["a", "A", "b", "C", "d", "e", "f", "g", "h", "", "ab"] {
                    let expected = groups.iter().any(|group| {
                        group.parameters.iter().any(|name| name.eq_ignore_ascii_case(parameter))
                            && group.sites.iter().any(|site| site == "*" || site == host)
                    });
                    assert_eq!(on.contains(parameter.as_bytes()), expected, "{chosen:b} {host} {parameter}");
                }
            }
        }
    }
}
