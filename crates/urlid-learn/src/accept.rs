//! Decides which rules have enough evidence.
//!
//! A rule needs seven contents that agree, and at most one counter-example in fifty. With seven and no
//! counter-example, the share of contexts that agree is at least 0.75 with 95 % confidence (Jeffreys' prior).
//! Fewer contents gave more rules and more lost pages. docs/site-rules.md has measurements for a higher
//! minimum.

use std::collections::{BTreeMap, HashMap, HashSet};

use urlid_canonical::{RuleFile, RuleKind, Rules, escape_rule_word};

use crate::contents::Page;
use crate::evidence::{Evidence, Mask, MaskScope, Support};
use crate::parts::{Parts, decoded, is_token};

/// The fewest contents that agree.
pub(crate) const CONTENTS: usize = 7;
/// The longest name or word of a rule, in characters. A longer one may be a secret.
const LONGEST_NAME: usize = 48;

/// A rule with evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Learned {
    pub(crate) scope: MaskScope,
    pub(crate) kind: RuleKind,
    /// The word as written in a file.
    pub(crate) word: String,
    /// The number of contents that agree, and of contexts that do not.
    pub(crate) agreeing: usize,
    pub(crate) against: usize,
    /// Two URLs that are equal under the rule. For a rule `hold`, two that are not.
    pub(crate) example: Option<(String, String)>,
}

/// Returns whether a rule has enough evidence, and hardly any counter-examples.
fn is_enough(support: &Support) -> bool {
    support.agreeing() >= CONTENTS && !is_objected(support)
}

/// Returns whether there is more than one counter-example in fifty.
fn is_objected(support: &Support) -> bool {
    // The division is multiplied out, so that rounding cannot move the bound.
    support.against * 50 > support.agreeing() + support.against
}

/// Returns whether a difference matters more than by chance.
fn matters(support: &Support) -> bool {
    // A single counter-example may be a page that changed between its captures.
    support.against >= 2 && support.against * 10 > support.agreeing() + support.against
}

impl Evidence {
    /// Returns the rules with enough evidence that `known` lacks, each in its widest scope.
    pub(crate) fn rules(&self, pages: &[Page], known: &[Learned]) -> Vec<Learned> {
        let mut found = self.aliases(pages);
        let mut by_mask: BTreeMap<(Mask, &str), Vec<(&MaskScope, &Support)>> = BTreeMap::new();
        for ((mask, scope), support) in &self.support {
            // The scopes are in order, with wider ones first.
            by_mask.entry((*mask, &scope.group)).or_default().push((scope, support));
        }
        // Defaults come last, because a `drop` of their field covers them.
        let (defaults, others): (Vec<_>, Vec<_>) =
            by_mask.into_iter().partition(|((mask, _), _)| matches!(mask, Mask::Default(..)));
        let known = by_subject(known);
        // The indexes of the found rules, by their subject.
        let mut about: HashMap<(String, String), Vec<usize>> = HashMap::new();
        let owned = |rule: &Learned| {
            let (group, word) = rule.subject();
            (group.to_owned(), word.to_owned())
        };
        for (place, rule) in found.iter().enumerate() {
            about.entry(owned(rule)).or_default().push(place);
        }
        for ((mask, _), scopes) in others.into_iter().chain(defaults) {
            let mut taken: Option<&MaskScope> = None;
            for (scope, support) in scopes {
                // A rule of a wider scope also holds in narrower ones, so a second rule there would be
                // superfluous. In their order, a scope follows the wider one, if there is one.
                if taken.is_some_and(|wider| scope.prefix.starts_with(&wider.prefix))
                    || !self.is_rule(mask, scope, support)
                {
                    continue;
                }
                let rules = self.words(mask, support, pages).into_iter().map(|(kind, word)| Learned {
                    scope: scope.clone(),
                    kind,
                    word,
                    agreeing: support.agreeing(),
                    against: support.against,
                    example: pair(pages, support.example),
                });
                let rules: Vec<_> = rules.filter(|rule| rule.is_valid()).collect();
                let covered = |rule: &Learned| {
                    let places = about.get(&owned(rule)).into_iter().flatten();
                    let found = places.map(|&place| &found[place]);
                    let known = known.get(&rule.subject()).into_iter().flatten().copied();
                    found.chain(known).any(|other| other.covers(rule))
                };
                let new: Vec<_> = rules.into_iter().filter(|rule| !covered(rule)).collect();
                for rule in new {
                    about.entry(owned(&rule)).or_default().push(found.len());
                    found.push(rule);
                }
                taken = Some(scope);
            }
        }
        found
    }

    fn is_rule(&self, mask: Mask, scope: &MaskScope, support: &Support) -> bool {
        // One or two values may agree because they happen to have the same meaning. They can still become a
        // `default`.
        let needs_values = matches!(mask, Mask::Field(_) | Mask::Bundle(_) | Mask::Session(_));
        if matches!(mask, Mask::Alias(..)) || !is_enough(support) || (needs_values && !support.has_values()) {
            return false;
        }
        let Mask::Bundle(bundle) = mask else { return true };
        // A bundle must not include a member with counter-evidence. The whole host is checked as well,
        // because a narrow scope may lack the counter-example.
        let host = MaskScope { prefix: String::new(), ..scope.clone() };
        let against = |name: &u32| {
            [scope, &host].iter().any(|scope| {
                self.support
                    .get(&(Mask::Field(*name), (*scope).clone()))
                    .is_some_and(|alone| alone.against > 0)
            })
        };
        !self.bundles[bundle as usize].iter().any(against)
    }

    /// Returns the kinds and words of the rules for a mask.
    fn words(&self, mask: Mask, support: &Support, pages: &[Page]) -> Vec<(RuleKind, String)> {
        let name = |id: u32| escape_rule_word(&self.names[id as usize]);
        match mask {
            Mask::Https => vec![(RuleKind::Https, String::new())],
            Mask::Case => vec![(RuleKind::Case, String::new())],
            Mask::Slash => vec![(RuleKind::Slash, String::new())],
            Mask::Order => vec![(RuleKind::Order, String::new())],
            Mask::Index(id) => vec![(RuleKind::Index, name(id))],
            Mask::Session(id) => vec![(RuleKind::Session, name(id))],
            Mask::Field(id) => vec![(RuleKind::Drop, name(id))],
            Mask::Bundle(bundle) => {
                self.bundles[bundle as usize].iter().map(|id| (RuleKind::Drop, name(*id))).collect()
            }
            Mask::Default(id, _) => {
                let value = support.example.and_then(|pair| self.value(id, pair, pages));
                let word = value.map(|value| format!("{}={}", name(id), escape_rule_word(&value)));
                word.map(|word| (RuleKind::Default, word)).into_iter().collect()
            }
            Mask::Alias(..) => Vec::new(),
        }
    }

    /// Returns the value of a field in the page of a pair that has it. The page must have it once, and the
    /// value must be allowed in a file.
    fn value(&self, id: u32, (one, other): (u32, u32), pages: &[Page]) -> Option<String> {
        [one, other].into_iter().find_map(|page| {
            let parts = Parts::parse(&pages[page as usize].url)?;
            let mut fields =
                parts.fields.iter().filter(|field| decoded(field.name) == *self.names[id as usize]);
            match (fields.next(), fields.next()) {
                (Some(field), None) => Some(decoded(field.value.unwrap_or_default()).into_owned())
                    .filter(|value| !is_token(value)),
                _ => None,
            }
        })
    }

    /// Returns the aliases. Hosts that are joined by enough evidence form a group. The shortest host of a
    /// group, and the first by its bytes among equally short ones, replaces the hosts that have evidence for
    /// it.
    fn aliases(&self, pages: &[Page]) -> Vec<Learned> {
        let enough = self.support.iter().filter_map(|((mask, _), support)| match mask {
            Mask::Alias(one, other) if is_enough(support) => {
                let mut hosts = [*one, *other].map(|id| self.names[id as usize].as_str());
                hosts.sort_by_key(|host| (host.len(), *host));
                Some((hosts[0], hosts[1], support))
            }
            _ => None,
        });
        let mut enough: Vec<_> = enough.collect();
        enough.sort_by_key(|(to, from, _)| (to.len(), *to, from.len(), *from));
        let (mut aliases, mut replaced): (Vec<Learned>, HashSet<&str>) = (Vec::new(), HashSet::new());
        // Shorter hosts come first. A file rejects an alias with a target that is itself replaced, so such
        // pairs are left out.
        for (to, from, support) in enough {
            if replaced.contains(to) || replaced.contains(from) {
                continue;
            }
            let alias = Learned {
                scope: MaskScope { group: to.to_owned(), prefix: String::new() },
                kind: RuleKind::Alias,
                word: from.to_owned(),
                agreeing: support.agreeing(),
                against: support.against,
                example: pair(pages, support.example),
            };
            if alias.is_valid() {
                replaced.insert(from);
                aliases.push(alias);
            }
        }
        aliases
    }

    /// Returns a rule `hold` for each field that matters on a host, unless `known` has a rule about it in
    /// that scope.
    pub(crate) fn holds(&self, pages: &[Page], known: &[Learned]) -> Vec<Learned> {
        self.held(pages, known, |_, support| matters(support))
    }

    /// Returns a rule `hold` for each of the `wide` names that has more counter-examples on a host than a
    /// rule may have.
    pub(crate) fn vetoes(&self, pages: &[Page], known: &[Learned], wide: &[&str]) -> Vec<Learned> {
        self.held(pages, known, |name, support| wide.contains(&name) && is_objected(support))
    }

    fn held(
        &self,
        pages: &[Page],
        known: &[Learned],
        is_held: impl Fn(&str, &Support) -> bool,
    ) -> Vec<Learned> {
        let mut holds = Vec::new();
        let about = by_subject(known);
        for ((mask, scope), support) in &self.support {
            let Mask::Field(id) = mask else { continue };
            let name = &self.names[*id as usize];
            if !scope.prefix.is_empty() || !is_held(name, support) {
                continue;
            }
            let hold = Learned {
                scope: scope.clone(),
                kind: RuleKind::Hold,
                word: escape_rule_word(name).to_string(),
                agreeing: support.agreeing(),
                against: support.against,
                example: pair(pages, support.counter),
            };
            let others = about.get(&hold.subject()).into_iter().flatten();
            if hold.is_valid() && !others.into_iter().any(|other| other.is_about_field_of(&hold)) {
                holds.push(hold);
            }
        }
        holds
    }
}

/// Returns rules by their subject, so that each rule is compared with few others.
pub(crate) fn by_subject(rules: &[Learned]) -> HashMap<(&str, &str), Vec<&Learned>> {
    let mut about: HashMap<_, Vec<_>> = HashMap::new();
    for rule in rules {
        about.entry(rule.subject()).or_default().push(rule);
    }
    about
}

fn pair(pages: &[Page], places: Option<(u32, u32)>) -> Option<(String, String)> {
    places.map(|(one, other)| (pages[one as usize].url.clone(), pages[other as usize].url.clone()))
}

impl Learned {
    /// Returns the name of the rule's field.
    pub(crate) fn field(&self) -> Option<&str> {
        match self.kind {
            RuleKind::Drop | RuleKind::Hold => Some(&self.word),
            // An `=` in a name is escaped.
            RuleKind::Default => self.word.split('=').next(),
            _ => None,
        }
    }

    /// Returns the hosts and the field or word of the rule. Two rules have the same subject if one covers or
    /// replaces the other, or is about its field.
    pub(crate) fn subject(&self) -> (&str, &str) {
        (&self.scope.group, self.field().unwrap_or(&self.word))
    }

    fn is_about_field_of(&self, other: &Learned) -> bool {
        self.scope == other.scope && self.field().is_some() && self.field() == other.field()
    }

    /// Returns whether `other` is superfluous next to this rule, or contradicts it. A scope has one default
    /// of a field.
    fn covers(&self, other: &Learned) -> bool {
        let is_wider =
            self.scope.group == other.scope.group && other.scope.prefix.starts_with(&self.scope.prefix);
        match (self.kind, other.kind) {
            (RuleKind::Drop, RuleKind::Drop | RuleKind::Default) => is_wider && self.field() == other.field(),
            (RuleKind::Default, RuleKind::Default) => self.is_about_field_of(other),
            (one, other_kind) => one == other_kind && is_wider && self.word == other.word,
        }
    }

    /// Returns whether this rule makes `other` superfluous, or contradicts it.
    pub(crate) fn replaces(&self, other: &Learned) -> bool {
        match (self.kind, other.kind) {
            // A hold only protects a field from wider rules. It never makes a rule superfluous.
            (RuleKind::Hold, _) => false,
            (_, RuleKind::Hold) => self.is_about_field_of(other),
            _ => self != other && self.covers(other),
        }
    }

    /// Returns whether a file can have the rule. Its names must not be secrets, and its scope must be valid.
    fn is_valid(&self) -> bool {
        // A word with many digits may be a secret, or valid only for a moment.
        let digits = self.word.bytes().filter(u8::is_ascii_digit).count();
        let is_plain =
            self.kind == RuleKind::Alias || (self.word.chars().count() <= LONGEST_NAME && digits < 8);
        // The parser of files decides whether scope and word are allowed, so that a learned file can always
        // be read.
        let mut file = RuleFile::new();
        let words = Some(&self.word).filter(|word| !word.is_empty());
        file.push(&self.scope.text(), self.kind, words.as_slice(), "");
        is_plain && !is_secret_path(&self.scope.prefix) && Rules::parse(&file.to_text("")).is_ok()
    }
}

impl MaskScope {
    /// Returns the text between the brackets.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.group, self.prefix)
    }
}

/// Returns whether a segment of a path may be a secret.
fn is_secret_path(path: &str) -> bool {
    // A segment with `;` may contain a session.
    path.split('/').any(|segment| segment.chars().count() > LONGEST_NAME || segment.contains(';'))
}
