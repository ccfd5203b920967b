//! Builds the tree of a host. At each place, some segments stay literal and others become classes.

use std::collections::{BTreeMap, HashMap, HashSet};

use urlid_canonical::{ClassSegment, SegmentClass, SegmentLook, write_fields};

use super::fields::{TemplateFields, kinds};
use super::open::{Child, Rests, are_alike, are_independent, exempt, head, is_open, rest};
use super::sample::{Sample, TextId};

/// The maximum depth of a place. Deeper segments are the rest of the path.
const DEEPEST: usize = 24;
/// The minimum number of URLs of a child that is evidence by itself.
const LARGE: usize = 5;

/// A place in the paths of a host.
#[derive(Default)]
pub(super) struct Place {
    literals: BTreeMap<TextId, Place>,
    classes: BTreeMap<ClassSegment, Place>,
    /// The fields of the templates that end here.
    ends: Vec<TemplateFields>,
    ending: usize,
    urls: usize,
    has_rest: bool,
}

/// The position of a place: the last literal before it, and the number of classes after this literal.
type Position = (Option<TextId>, usize);

/// Facts about names that the first walk finds. The second walk uses them at places with few children.
#[derive(Default)]
pub(super) struct Evidence<'s> {
    /// How often the children at a position were an open set, and how often they were not.
    open: HashMap<Position, [usize; 2]>,
    /// The texts that are values at some place.
    values: HashSet<TextId>,
    /// The texts that are literals at some place.
    literals: HashSet<TextId>,
    /// The texts at places of digests that have the same continuation as the digests.
    names_of_digests: HashSet<TextId>,
    /// The segments after the children of a position whose children are all literals. After the walk, only the
    /// positions stay whose children are values.
    closed: HashMap<Position, Rests<'s>>,
}

/// Builds the tree of a host.
pub(super) struct Builder<'s> {
    sample: &'s Sample<'s>,
    most_literals: usize,
    /// `None` in the first walk.
    known: Option<&'s Evidence<'s>>,
    found: Evidence<'s>,
}

/// The children of a place that may be one class: their prefix and extension are the same.
#[derive(Default)]
struct Group<'n> {
    /// Children without a class other than `Any`.
    weak: Vec<Child<'n>>,
    /// Children with letters before a number, by these letters, and all others by their class.
    strong: BTreeMap<(SegmentClass, &'n str), Vec<Child<'n>>>,
}

/// Returns the tree of a sample with at most `most_literals` literals at each place.
pub(super) fn tree(sample: &Sample<'_>, most_literals: usize) -> Place {
    let urls: Vec<u32> = (0..sample.urls.len() as u32).collect();
    let build = |known| {
        let mut builder = Builder { sample, most_literals, known, found: Evidence::default() };
        let place = builder.build(&urls, 0, (None, 0));
        (place, builder.found)
    };
    let (place, mut found) = build(None);
    place.literals_into(&mut found.literals);
    found.closed.retain(|_, children| are_independent(sample, children));
    let (mut place, _) = build(Some(&found));
    place.shorten(true);
    place
}

impl<'s> Builder<'s> {
    fn build(&mut self, urls: &[u32], depth: usize, position: Position) -> Place {
        let sample = self.sample;
        let segment = |url: u32| sample.urls[url as usize].segments.get(depth).copied();
        let mut urls = urls.to_vec();
        urls.sort_by_key(|url| segment(*url));
        let (ending, going_on) = urls.split_at(urls.partition_point(|url| segment(*url).is_none()));
        let mut place = Place { urls: urls.len(), ending: ending.len(), ..Place::default() };
        if !ending.is_empty() {
            place.ends = kinds(sample, ending);
        }
        if depth >= DEEPEST {
            place.has_rest = !going_on.is_empty();
            return place;
        }
        let children: Vec<Child<'_>> = going_on
            .chunk_by(|a, b| segment(*a) == segment(*b))
            .filter_map(|urls| Some(Child { segment: segment(urls[0])?, urls }))
            .collect();
        let mut opened = HashSet::new();
        for ((prefix, extension), group) in self.groups(&children, depth, &mut place, position) {
            let group = Grouped { prefix, extension, children: group };
            self.build_group(group, depth, position, &mut opened, &mut place);
        }
        place
    }

    /// Returns the children grouped by prefix and extension. Few, frequent numbers become literals at once.
    fn groups<'n>(
        &mut self,
        children: &[Child<'n>],
        depth: usize,
        place: &mut Place,
        position: Position,
    ) -> BTreeMap<(&'n str, &'static str), Group<'n>>
    where
        's: 'n,
    {
        let sample = self.sample;
        let shape = |child: &Child<'_>| {
            let is_last = child.urls.iter().all(|url| sample.urls[*url as usize].segments.len() == depth + 1);
            sample.shape_at(child.segment, is_last)
        };
        let (mut prefixes, mut extensions, mut numbered, mut strong) =
            (HashMap::<&str, usize>::new(), HashMap::new(), HashMap::new(), HashMap::new());
        for shape in children.iter().map(shape) {
            *prefixes.entry(&shape.prefix).or_default() += 1;
            *extensions.entry((&*shape.prefix, shape.extension)).or_insert(0) += 1;
            *numbered.entry((&*shape.prefix, &*shape.letters)).or_insert(0) += 1;
            *strong.entry(shape.class).or_insert(0) += 1;
        }
        let mut groups = BTreeMap::<(&str, &str), Group<'_>>::new();
        for child in children {
            let shape = shape(child);
            let (mut prefix, mut class, mut look) = (&*shape.prefix, shape.class, shape.look);
            if prefixes[prefix] < 3 && !prefix.is_empty() && !prefix.starts_with(['@', '~']) {
                (prefix, (class, look)) = ("", shape.whole);
            }
            let is_extension = extensions.get(&(prefix, shape.extension)).is_some_and(|count| *count >= 3);
            let extension = if is_extension { shape.extension } else { "" };
            let is_few = matches!(class, SegmentClass::Int | SegmentClass::Version)
                && strong.get(&class).is_none_or(|count| *count < 3);
            if is_few && child.urls.len() >= (place.urls / 4).max(12) {
                place.literals.insert(child.segment, self.below(child, depth, position));
                continue;
            }
            let same_letters = numbered.get(&(prefix, &*shape.letters)).copied().unwrap_or(0);
            let group = groups.entry((prefix, extension)).or_default();
            match look {
                SegmentLook::Value => group.strong.entry((class, "")).or_default().push(*child),
                SegmentLook::Numbered(_) if same_letters >= 5 && same_letters * 10 >= children.len() => {
                    group.strong.entry((SegmentClass::Any, &*shape.letters)).or_default().push(*child);
                }
                _ => group.weak.push(*child),
            }
        }
        groups
    }

    fn below(&mut self, child: &Child<'_>, depth: usize, _: Position) -> Place {
        self.build(child.urls, depth + 1, (Some(child.segment), 0))
    }

    fn build_group<'n>(
        &mut self,
        group: Grouped<'n>,
        depth: usize,
        position: Position,
        opened: &mut HashSet<&'n str>,
        place: &mut Place,
    ) {
        let Grouped { prefix, extension, children: Group { weak, mut strong } } = group;
        let (named, fewest) =
            self.named(&weak, &strong, depth, position, !extension.is_empty() && opened.contains(prefix));
        let is_named = |child: &Child<'_>| named.as_ref().is_none_or(|named| named.contains(&child.segment));
        let (mut literals, mut pool): (Vec<Child<'_>>, Vec<Child<'_>>) =
            weak.iter().partition(|child| is_named(child));
        if named.is_some() && !pool.is_empty() {
            opened.insert(prefix);
        }
        if pool.len() < fewest {
            (literals, pool) = (weak.clone(), Vec::new());
        }
        if self.known.is_none() && weak.len() > 2 && extension.is_empty() && prefix.is_empty() {
            self.found.open.entry(position).or_default()[usize::from(named.is_none())] += 1;
        }
        if literals.len() > self.most_literals {
            // The largest stay. The sort is stable, so the first of equal children stay.
            literals.sort_by_key(|child| usize::MAX - child.urls.len());
            pool.extend(literals.drain(self.most_literals..));
        }
        let has_pool = !pool.is_empty();
        strong.retain(|(class, letters), children| {
            if !has_pool && *class == SegmentClass::Version && children.len() < 3 {
                literals.append(children);
            } else if has_pool
                && letters.is_empty()
                && (*class != SegmentClass::Int || children.len() * 4 < pool.len())
            {
                // These are other shapes of the same open set.
                pool.append(children);
            }
            !children.is_empty()
        });
        for child in &literals {
            place.literals.insert(child.segment, self.below(child, depth, position));
        }
        if self.known.is_none() {
            self.found.values.extend(pool.iter().map(|child| child.segment));
        }
        let strong = strong.into_iter().map(|((class, letters), children)| match letters.is_empty() {
            true => (prefix.to_owned(), class, children),
            false => ([prefix, letters].concat(), SegmentClass::Int, children),
        });
        let pool = has_pool.then_some((prefix.to_owned(), SegmentClass::Any, pool));
        for (prefix, class, children) in strong.chain(pool) {
            let urls: Vec<u32> = children.iter().flat_map(|child| child.urls).copied().collect();
            let class = ClassSegment { prefix: prefix.into(), class, extension };
            let below = self.build(&urls, depth + 1, (position.0, position.1 + 1));
            place.classes.insert(class, below);
        }
    }

    /// Returns the children of a group that stay literal, or `None` for all of them, and the minimum number of
    /// other children that become a class.
    fn named(
        &mut self,
        weak: &[Child<'_>],
        strong: &BTreeMap<(SegmentClass, &str), Vec<Child<'_>>>,
        depth: usize,
        position: Position,
        is_opened: bool,
    ) -> (Option<HashSet<TextId>>, usize) {
        let sample = self.sample;
        let large: Vec<Child<'_>> = weak.iter().filter(|child| child.urls.len() >= LARGE).copied().collect();
        if is_open(sample, &large, depth) || are_alike(sample, weak, depth) {
            // The children with evidence are values, so all children are.
            return (Some(exempt(sample, weak, depth)), 3);
        }
        let joined = beside_digests(sample, weak, strong, depth);
        if is_open(sample, weak, depth) {
            let mut named = head(weak);
            named.retain(|id| !joined.contains(id));
            let tail: Vec<Child<'_>> =
                weak.iter().filter(|child| !named.contains(&child.segment)).copied().collect();
            if is_open(sample, &tail, depth) {
                named.extend(exempt(sample, &tail, depth));
                return (Some(named), 3);
            }
        }
        if is_opened && depth > 0 && weak.len() < 12 {
            return (Some(HashSet::new()), 3);
        }
        let except = |is_value: &dyn Fn(&TextId) -> bool| {
            let named: HashSet<TextId> =
                weak.iter().map(|child| child.segment).filter(|id| !is_value(id)).collect();
            (named.len() < weak.len()).then_some((Some(named), 1))
        };
        if let Some(values) = self.known.and_then(|known| known.closed.get(&position))
            && let Some(found) = except(&|id| values.contains_key(id))
        {
            return found;
        }
        if let Some(known) = self.known.filter(|_| weak.len() <= 5) {
            if matches!(known.open.get(&position), Some([opened, 0]) if *opened > 0) {
                return (Some(HashSet::new()), 1);
            }
            let is_value = |id: &TextId| {
                known.names_of_digests.contains(id)
                    || known.values.contains(id) && !known.literals.contains(id)
            };
            if let Some(found) = except(&is_value) {
                return found;
            }
        }
        if let Some(found) = except(&|id| joined.contains(id)) {
            if self.known.is_none() {
                self.found.names_of_digests.extend(joined);
            }
            return found;
        }
        if self.known.is_none() {
            let children = self.found.closed.entry(position).or_default();
            for child in weak {
                let rests = child.urls.iter().map(|url| rest(sample, *url, depth));
                children.entry(child.segment).or_default().extend(rests);
            }
        }
        (None, 3)
    }
}

/// Returns the children that occur in place of digests, like a branch in place of a commit. The same segments
/// follow them as the digests.
fn beside_digests(
    sample: &Sample<'_>,
    weak: &[Child<'_>],
    strong: &BTreeMap<(SegmentClass, &str), Vec<Child<'_>>>,
    depth: usize,
) -> HashSet<TextId> {
    let digests = strong.get(&(SegmentClass::Hash, "")).filter(|digests| digests.len() >= 3);
    let next = |child: &Child<'_>| -> Vec<TextId> {
        let next = child.urls.iter().filter_map(|url| sample.urls[*url as usize].segments.get(depth + 1));
        next.copied().collect()
    };
    let after: HashSet<TextId> = digests.into_iter().flatten().flat_map(next).collect();
    let is_one = |child: &&Child<'_>| {
        let next = next(child);
        let known = next.iter().filter(|id| after.contains(id)).count();
        !next.is_empty() && known * 4 >= next.len() * 3
    };
    weak.iter().filter(is_one).map(|child| child.segment).collect()
}

/// A group with the prefix and the extension of its children.
struct Grouped<'n> {
    prefix: &'n str,
    extension: &'static str,
    children: Group<'n>,
}

impl Place {
    fn children(&self) -> impl Iterator<Item = &Place> {
        self.literals.values().chain(self.classes.values())
    }

    /// Collects the literals that have some evidence.
    fn literals_into(&self, found: &mut HashSet<TextId>) {
        for (segment, child) in &self.literals {
            if self.urls >= 3 && child.urls >= 2 {
                found.insert(*segment);
            }
        }
        self.children().for_each(|child| child.literals_into(found));
    }

    /// Replaces trees of folders by the rest of the path.
    fn shorten(&mut self, is_root: bool) {
        if !is_root && self.is_rest() {
            (self.literals, self.classes, self.has_rest) = (BTreeMap::new(), BTreeMap::new(), true);
        }
        self.literals.values_mut().chain(self.classes.values_mut()).for_each(|child| child.shorten(false));
    }

    /// Returns whether at least three consecutive levels are open, each with nine tenths of the URLs that go on
    /// there, and URLs end in at least three of them.
    fn is_rest(&self) -> bool {
        let all: usize = self.children().map(|child| child.urls).sum();
        let (mut level, mut open_levels, mut ending_levels) = (vec![self], 0, 0);
        while open_levels < 6 {
            let going_on: usize =
                level.iter().flat_map(|place| place.children()).map(|child| child.urls).sum();
            let open = level.iter().flat_map(|place| &place.classes);
            let open: usize =
                open.filter(|(class, _)| class.class == SegmentClass::Any).map(|(_, child)| child.urls).sum();
            if going_on < 2 || going_on * 20 < all || open * 10 < going_on * 9 {
                break;
            }
            level = level.iter().flat_map(|place| place.children()).collect();
            open_levels += 1;
            // The places of a level are counted together.
            ending_levels += usize::from(level.iter().map(|place| place.ending).sum::<usize>() * 20 >= all);
        }
        open_levels >= 3 && ending_levels >= 3
    }

    /// Appends the templates of the place and of all places below it.
    pub(super) fn write(&self, sample: &Sample<'_>, path: &mut String, templates: &mut Vec<String>) {
        for fields in &self.ends {
            let mut fields: Vec<_> = fields
                .iter()
                .map(|(name, value)| (sample.text(*name), value.map(|value| sample.text(value))))
                .collect();
            fields.sort_unstable();
            let mut template = if path.is_empty() { "/".to_owned() } else { path.clone() };
            write_fields(fields, &mut template);
            templates.push(template);
        }
        if self.has_rest {
            templates.push([path, "/{*}"].concat());
        }
        let length = path.len();
        for (segment, child) in &self.literals {
            path.extend(["/", sample.text(*segment)]);
            child.write(sample, path, templates);
            path.truncate(length);
        }
        for (class, child) in &self.classes {
            path.push('/');
            class.write(path);
            child.write(sample, path, templates);
            path.truncate(length);
        }
    }
}
