//! The scopes of a file, found by host and path, and the rules of each.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use super::grammar::{self, RuleKind, RuleLine, SiteRule};
use super::names::{Contradiction, Name, Names, Waiting};
use urlid::Error;

/// All scopes and rules.
pub(super) struct Scopes {
    /// The scopes with at least one rule, ascending by name.
    scopes: Vec<Scope>,
    /// Ascending by scope, kind and word.
    rules: Vec<RuleLine>,
    // The keys come from a file. The hasher has a fixed key, because answers never depend on it.
    hosts: HashMap<Box<str>, HostRules, BuildHasherDefault<DefaultHasher>>,
    /// The scopes of a domain and all hosts below it, by the domain.
    domains: HashMap<Box<str>, u32, BuildHasherDefault<DefaultHasher>>,
    everywhere: Option<u32>,
}

/// The rules of a file for one host.
#[derive(Default)]
struct HostRules {
    /// The rule `alias`, and the host that replaces this one.
    alias: Option<Box<(u32, Box<str>)>>,
    /// The scope of only the host.
    whole: Option<u32>,
    /// The scopes of its path prefixes, ascending.
    prefixes: Vec<u32>,
}

/// The rules of one scope.
#[derive(Default)]
pub(super) struct Scope {
    /// The text between the brackets.
    name: Box<str>,
    /// The bytes of the path that it needs, 0 for a host.
    prefix_length: usize,
    /// The next shorter scope that holds wherever this one does.
    wider: Option<u32>,
    /// The kinds of its rules.
    kinds: Kinds,
    /// Its kinds and the kinds of wider scopes.
    kinds_with_wider: Kinds,
    /// The rules without a name, and the first rule `keep`.
    single: [Option<u32>; 5],
    index: Option<Box<Names>>,
    session: Option<Box<Names>>,
    /// `hold`, `drop` and `default`.
    fields: Names,
    keep: Option<Box<Names>>,
}

/// A set of kinds of rules, one bit for each.
#[derive(Clone, Copy, Default)]
pub(super) struct Kinds(u16);

impl Kinds {
    fn with(self, kind: RuleKind) -> Self {
        Self(self.0 | 1 << kind as u16)
    }

    pub(super) fn has(self, kinds: &[RuleKind]) -> bool {
        kinds.iter().any(|&kind| self.0 >> kind as u16 & 1 == 1)
    }
}

/// The kinds that decide about fields of the query.
pub(super) const FIELD_KINDS: &[RuleKind] =
    &[RuleKind::Hold, RuleKind::Drop, RuleKind::Default, RuleKind::Keep];

const SINGLE: [RuleKind; 5] =
    [RuleKind::Https, RuleKind::Case, RuleKind::Slash, RuleKind::Order, RuleKind::Keep];

impl Scopes {
    /// Collects the rules of scopes, which are both in their order.
    pub(super) fn build(names: Vec<String>, rules: Vec<RuleLine>) -> Result<Self, Error> {
        let mut built = Self {
            scopes: Vec::with_capacity(names.len()),
            rules,
            hosts: HashMap::default(),
            domains: HashMap::default(),
            everywhere: None,
        };
        let mut start = 0;
        for (number, name) in (0..).zip(names) {
            // Rules ascend by scope, so the rules of this scope are next.
            let length = built.rules[start..].partition_point(|rule| rule.scope <= number);
            let scope = Scope::build(name.into(), &built.rules[start..start + length], start as u32);
            let scope = scope.map_err(|Contradiction(a, b)| built.contradiction(a, b))?;
            built.scopes.push(scope);
            start += length;
        }
        built.link();
        built.check_depth()?;
        built.add_aliases()?;
        Ok(built)
    }

    /// Enters the scopes under their hosts, each with the next wider one.
    fn link(&mut self) {
        let everywhere = self.scopes.binary_search_by(|scope| (*scope.name).cmp("*")).ok();
        self.everywhere = everywhere.map(|number| number as u32);
        for (index, scope) in (0..).zip(&self.scopes) {
            self.domains.extend(scope.domain().map(|domain| (domain.into(), index)));
        }
        for number in (0..self.scopes.len()).filter(|&number| Some(number) != everywhere) {
            let index = number as u32;
            let scope = &self.scopes[number];
            if let Some(domain) = scope.domain() {
                let above = domain.split_once('.').and_then(|(_, above)| self.wide(above));
                self.scopes[number].wider = above.or(self.everywhere);
                continue;
            }
            let host = scope.host();
            let rules = match self.hosts.get_mut(host) {
                Some(rules) => rules,
                None => self.hosts.entry(host.into()).or_default(),
            };
            // In this order, a host comes before its path prefixes, and a prefix before the prefixes that
            // extend it.
            let around = if scope.prefix_length == 0 {
                rules.whole = Some(index);
                None
            } else {
                let mut last = rules.prefixes.last().copied();
                while let Some(other) =
                    last.filter(|&other| !scope.name.starts_with(&*self.scopes[other as usize].name))
                {
                    last = self.scopes[other as usize]
                        .wider
                        .filter(|&wider| self.scopes[wider as usize].prefix_length > 0);
                }
                rules.prefixes.push(index);
                last.or(rules.whole)
            };
            self.scopes[number].wider = around.or_else(|| self.wide(self.scopes[number].host()));
        }
        for number in self.wide_first() {
            let wider = self.scopes[number]
                .wider
                .map_or(Kinds(0), |wider| self.scopes[wider as usize].kinds_with_wider);
            let scope = &mut self.scopes[number];
            scope.kinds_with_wider = Kinds(scope.kinds.0 | wider.0);
        }
    }

    /// Returns the numbers of the scopes, each after those that are wider.
    fn wide_first(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.scopes.len()).collect();
        // A domain is longer than the domains above it. For one host, the order of names equals the order of
        // prefixes.
        numbers.sort_by_key(|&number| {
            let name = &self.scopes[number].name;
            if name.starts_with('*') { name.len() } else { usize::MAX }
        });
        numbers
    }

    /// Returns the longest scope of a domain that a host is or is below, or else the one of all hosts.
    fn wide(&self, host: &str) -> Option<u32> {
        let mut domain = Some(host).filter(|_| !self.domains.is_empty());
        while let Some(name) = domain {
            if let Some(&scope) = self.domains.get(name) {
                return Some(scope);
            }
            domain = name.split_once('.').map(|(_, above)| above);
        }
        self.everywhere
    }

    /// Returns an error if a scope is inside too many others, because each name of a URL is looked up in all
    /// of them.
    fn check_depth(&self) -> Result<(), Error> {
        let mut depths = vec![0; self.scopes.len()];
        let mut first: Option<(u32, usize)> = None;
        for number in self.wide_first() {
            depths[number] = self.scopes[number].wider.map_or(0, |wider| depths[wider as usize] + 1);
            if depths[number] > grammar::MOST_WIDER {
                // Rules ascend by scope, and each scope has one.
                let rules = self.rules.partition_point(|rule| (rule.scope as usize) < number);
                let rules = self.rules[rules..].iter().take_while(|rule| rule.scope as usize == number);
                let lines = rules.map(|rule| (rule.line, depths[number]));
                first = first.into_iter().chain(lines).min();
            }
        }
        first.map_or(Ok(()), |(line, depth)| {
            let expected = grammar::MOST_WIDER.to_string();
            Err(grammar::DEPTH.error().with_shown(depth).with_expected(expected).with_number(line.into()))
        })
    }

    /// Adds the hosts that others replace. A host that replaces others is never itself replaced, so one
    /// look-up is enough.
    fn add_aliases(&mut self) -> Result<(), Error> {
        let is_alias = |rule: &&RuleLine| rule.kind == RuleKind::Alias;
        let mut aliases: Vec<(u32, u32)> = Vec::new();
        for (index, rule) in (0..).zip(&self.rules).filter(|(_, rule)| is_alias(rule)) {
            let target: Box<str> = self.scopes[rule.scope as usize].name.clone();
            let from = self.hosts.entry(rule.word.clone()).or_default();
            match &from.alias {
                Some(first) => aliases.push((first.0, index)),
                None => from.alias = Some(Box::new((index, target))),
            }
        }
        let twice = aliases
            .into_iter()
            .map(|(a, b)| (self.later(a, b), "a host that no other scope has as an alias"));
        let chained = (0..).zip(&self.rules).filter(|(_, rule)| is_alias(rule)).filter(|(_, rule)| {
            let target = self.hosts.get(&self.scopes[rule.scope as usize].name);
            target.is_some_and(|target| target.alias.is_some())
        });
        let chained = chained.map(|(index, _)| (index, "a scope that is not itself an alias"));
        // If there are several errors, the one with the first line is reported, whatever the order of the
        // rules.
        let first = twice.chain(chained).min_by_key(|&(index, _)| self.rules[index as usize].line);
        first.map_or(Ok(()), |(index, expected)| {
            let rule = &self.rules[index as usize];
            Err(grammar::ALIAS.found(&rule.word).with_expected(expected).with_number(rule.line.into()))
        })
    }

    fn later(&self, a: u32, b: u32) -> u32 {
        if self.rules[a as usize].line > self.rules[b as usize].line { a } else { b }
    }

    fn contradiction(&self, a: u32, b: u32) -> Error {
        let later = self.later(a, b);
        let (later, earlier) = (&self.rules[later as usize], &self.rules[(a + b - later) as usize]);
        let [later_text, earlier_text] =
            [later, earlier].map(|rule| [rule.kind.name(), " ", &rule.word].concat());
        let expected = format!("only the rule `{earlier_text}` of line {}", earlier.line);
        grammar::CONTRADICTION.found(&later_text).with_expected(expected).with_number(later.line.into())
    }

    /// Returns the rules in their order.
    pub(super) fn rules(&self) -> impl Iterator<Item = SiteRule<'_>> {
        self.rules.iter().map(|rule| self.shown(rule))
    }

    pub(super) fn rule(&self, index: usize) -> Option<SiteRule<'_>> {
        self.rules.get(index).map(|rule| self.shown(rule))
    }

    fn shown<'s>(&'s self, rule: &'s RuleLine) -> SiteRule<'s> {
        let RuleLine { scope, kind, ref word, line } = *rule;
        SiteRule { scope: &self.scopes[scope as usize].name, kind, word, line }
    }

    /// Returns the rules of the file for a host.
    pub(super) fn on(&self, host: &str) -> OnHost<'_> {
        OnHost { scopes: self, rules: self.hosts.get(host), wide: self.wide(host), host_length: host.len() }
    }

    /// Returns the first of a scope and its wider ones that has a prefix of at most `length` bytes.
    pub(super) fn up_to<'s>(&'s self, scope: &'s Scope, length: usize) -> Option<&'s Scope> {
        self.from(scope).find(|scope| scope.prefix_length <= length)
    }

    /// Returns a scope and those that are wider, the longest first.
    pub(super) fn from<'s>(&'s self, scope: &'s Scope) -> impl Iterator<Item = &'s Scope> {
        std::iter::successors(Some(scope), |scope| self.get(scope.wider))
    }

    fn get(&self, scope: Option<u32>) -> Option<&Scope> {
        scope.map(|scope| &self.scopes[scope as usize])
    }

    /// Returns the rule that drops a field of the query, if one does. `value` is called if a rule depends on
    /// it.
    pub(super) fn dropped_by<'v>(
        &self,
        scope: &Scope,
        name: &str,
        value: impl FnOnce() -> std::borrow::Cow<'v, str>,
    ) -> Option<u32> {
        let mut scopes = self.from(scope).filter(|scope| scope.kinds.has(FIELD_KINDS));
        // Only the longest scope with a rule for the field decides, so a `hold` protects from wider ones.
        scopes.find_map(|scope| scope.says(name)).and_then(|(said, scope)| {
            let kept = || {
                scope
                    .single(RuleKind::Keep)
                    .filter(|_| scope.keep.as_ref().is_none_or(|keep| keep.find(name).is_none()))
            };
            match said {
                Some(Name { kind: RuleKind::Drop, rule, .. }) => Some(*rule),
                Some(Name { kind: RuleKind::Default, value: default, rule, .. }) if value() == **default => {
                    Some(*rule)
                }
                // A field with a value other than the default counts as a field without a rule.
                Some(Name { kind: RuleKind::Default, .. }) | None => kept(),
                Some(_) => None,
            }
        })
    }
}

/// The rules of a file for the host of a URL.
#[derive(Clone, Copy)]
pub(super) struct OnHost<'s> {
    scopes: &'s Scopes,
    rules: Option<&'s HostRules>,
    /// The scope of a domain, or of all hosts.
    wide: Option<u32>,
    host_length: usize,
}

impl<'s> OnHost<'s> {
    /// Returns the rule that replaces the host, and the host that it gives.
    pub(super) fn alias(self) -> Option<(u32, &'s str)> {
        let (rule, target) = &**self.rules?.alias.as_ref()?;
        Some((*rule, target))
    }

    /// Returns the longest scope that a path is in.
    pub(super) fn longest(self, path: &[u8]) -> Option<&'s Scope> {
        let Self { scopes, rules, wide, host_length } = self;
        let Some(rules) = rules else { return scopes.get(wide) };
        let wide = rules.whole.or(wide);
        let prefix = |scope: u32| &scopes.scopes[scope as usize].name.as_bytes()[host_length..];
        let after = rules.prefixes.partition_point(|&scope| prefix(scope) <= path);
        let Some(before) = after.checked_sub(1) else { return scopes.get(wide) };
        // Whatever is a prefix of the path is one of the greatest that is not after it, or that one itself.
        let greatest = rules.prefixes[before];
        let common = prefix(greatest).iter().zip(path).take_while(|(a, b)| a == b).count();
        scopes.get(Some(greatest)).and_then(|scope| scopes.up_to(scope, common))
    }
}

impl Scope {
    fn build(name: Box<str>, rules: &[RuleLine], start: u32) -> Result<Self, Contradiction> {
        let of_kinds = |kinds: &'static [RuleKind]| {
            let rules = (start..).zip(rules).filter(|(_, rule)| kinds.contains(&rule.kind));
            Names::build(rules.map(|(index, rule)| (rule.kind, &*rule.word, index)))
        };
        // Most scopes lack all of these. A small scope is found with fewer misses of the cache.
        let boxed = |names: Names| (!names.is_empty()).then(|| Box::new(names));
        let mut scope = Self {
            prefix_length: name.find('/').map_or(0, |slash| name.len() - slash),
            index: boxed(of_kinds(&[RuleKind::Index])?),
            session: boxed(of_kinds(&[RuleKind::Session])?),
            fields: of_kinds(&[RuleKind::Hold, RuleKind::Drop, RuleKind::Default])?,
            keep: boxed(of_kinds(&[RuleKind::Keep])?),
            name,
            ..Self::default()
        };
        let mut drop = None;
        for (index, rule) in (start..).zip(rules) {
            scope.kinds = scope.kinds.with(rule.kind);
            drop = drop.or((rule.kind == RuleKind::Drop).then_some(index));
            if let Some(place) = SINGLE.iter().position(|&kind| kind == rule.kind) {
                scope.single[place].get_or_insert(index);
            }
        }
        match (drop, scope.single(RuleKind::Keep)) {
            (Some(drop), Some(keep)) => Err(Contradiction(drop, keep)),
            _ => Ok(scope),
        }
    }

    /// Returns the domain of a scope that has all hosts below it.
    fn domain(&self) -> Option<&str> {
        self.name.strip_prefix("*.")
    }

    fn host(&self) -> &str {
        &self.name[..self.name.len() - self.prefix_length]
    }

    pub(super) fn kinds_with_wider(&self) -> Kinds {
        self.kinds_with_wider
    }

    /// Returns the rule of a kind without names, or the first rule `keep`.
    pub(super) fn single(&self, kind: RuleKind) -> Option<u32> {
        SINGLE.iter().position(|&other| other == kind).and_then(|place| self.single[place])
    }

    /// Returns the rule `index` or `session` that lists a name.
    pub(super) fn listing(&self, kind: RuleKind, name: &str) -> Option<u32> {
        let names = if kind == RuleKind::Index { &self.index } else { &self.session };
        names.as_ref()?.find(name).map(|name| name.rule)
    }

    /// Removes and returns the segments with a session that the scope lists.
    pub(super) fn listed(&self, waiting: &mut Waiting) -> Vec<usize> {
        self.session.as_ref().map_or_else(Vec::new, |names| names.take_listed(waiting))
    }

    /// Returns the scope's entry for a field, or `None` if its rules do not concern it. A rule `keep`
    /// concerns every field.
    fn says(&self, name: &str) -> Option<(Option<&Name>, &Self)> {
        let said = self.fields.find(name);
        (said.is_some() || self.keep.is_some()).then_some((said, self))
    }
}
