//! The imports of a crate's files, by its paths and `use` declarations as `syn` reads them.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree, Visibility};

use crate::File;
use crate::circles::Imports;

/// Paths with more re-exports than this are not followed.
const LONGEST_WAY: usize = 16;

/// A path as written, by its names.
type Path = Vec<String>;

/// Adds the imports of the crate with a root file.
pub(super) fn read(root: &File, sources: &[File], imports: &mut Imports) {
    let mut tree = Tree { sources, modules: Vec::new() };
    let folder = root.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    tree.add_file(root, None, folder);
    for (index, module) in tree.modules.iter().enumerate() {
        for used in &module.uses {
            if let Some(target) = tree.target_of_use(index, used) {
                imports.add(&module.file, target, &used.path.join("::"));
            }
        }
        for path in &module.paths {
            if let Some(target) = tree.absolute(index, path, 0).and_then(|path| tree.file_of(&path, 0)) {
                imports.add(&module.file, target, &path.join("::"));
            }
        }
    }
}

/// A module, which is a file or a part of a file.
struct Module {
    file: String,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    items: Vec<String>,
    uses: Vec<Use>,
    /// Paths in the code.
    paths: Vec<Path>,
}

/// A name that a `use` declaration brings into a module. The name of a glob is `*`.
struct Use {
    name: String,
    path: Path,
    is_public: bool,
}

struct Tree<'s> {
    sources: &'s [File],
    modules: Vec<Module>,
}

impl Tree<'_> {
    /// Adds the module of a file. Its child modules are in `folder`.
    fn add_file(&mut self, file: &File, parent: Option<usize>, folder: &str) -> usize {
        let parsed = syn::parse_file(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path));
        self.add(&file.path, parent, folder, &parsed.items)
    }

    fn add(&mut self, file: &str, parent: Option<usize>, folder: &str, items: &[Item]) -> usize {
        let index = self.modules.len();
        let children = BTreeMap::new();
        let (items_names, uses, paths) = (Vec::new(), Vec::new(), Vec::new());
        self.modules.push(Module {
            file: file.to_owned(),
            parent,
            children,
            items: items_names,
            uses,
            paths,
        });
        for item in items {
            let mut reader = Reader::default();
            reader.visit_item(item);
            let Reader { modules, uses, paths } = reader;
            let module = &mut self.modules[index];
            module.items.extend(name(item));
            module.uses.extend(uses);
            // The value `self` of a method is not a module.
            module.paths.extend(paths.into_iter().filter(|path| *path != ["self"]));
            for child in modules {
                let name = child.ident.to_string();
                let folder = format!("{folder}/{name}");
                let child = match &child.content {
                    Some((_, items)) => Some(self.add(file, Some(index), &folder, items)),
                    None => {
                        let places = [format!("{folder}.rs"), format!("{folder}/mod.rs")];
                        let source = self.sources.iter().find(|file| places.contains(&file.path));
                        source.map(|source| self.add_file(source, Some(index), &folder))
                    }
                };
                self.modules[index].children.extend(child.map(|child| (name, child)));
            }
        }
        index
    }

    /// Returns the file that a `use` imports, unless it re-exports an item from below the module.
    fn target_of_use(&self, module: usize, used: &Use) -> Option<&str> {
        let path = self.absolute(module, &used.path, 0)?;
        let target = match used.name.as_str() {
            "*" => &self.modules[self.module_at(&path)?].file,
            _ => self.file_of(&path, 0)?,
        };
        let is_reexport = used.is_public && path.starts_with(&self.path_of(module));
        (!is_reexport).then_some(target)
    }

    /// Returns the path from the root of the crate, or `None` for a path into a different crate.
    fn absolute(&self, module: usize, path: &[String], steps: usize) -> Option<Path> {
        let (first, rest) = path.split_first().filter(|_| steps < LONGEST_WAY)?;
        let below = |base: Path| Some([&base, rest].concat());
        match first.as_str() {
            "crate" => below(Path::new()),
            "self" => below(self.path_of(module)),
            "super" => {
                if rest.first().is_some_and(|name| name == "super") {
                    self.absolute(self.modules[module].parent?, rest, steps + 1)
                } else {
                    below(self.path_of(self.modules[module].parent?))
                }
            }
            name if self.modules[module].children.contains_key(name) => {
                Some([&self.path_of(module), path].concat())
            }
            name => {
                // A `use name::…` of a different crate starts with the crate's name, and would lead back
                // here.
                let is_other = |used: &&Use| used.name == name && used.path.first() != Some(first);
                let used = self.modules[module].uses.iter().find(is_other)?;
                below(self.absolute(module, &used.path, steps + 1)?)
            }
        }
    }

    /// Returns the file that defines the item at a path from the root, through re-exports, or `None` for a
    /// path to a module.
    fn file_of(&self, path: &[String], steps: usize) -> Option<&str> {
        let mut module = 0;
        for (depth, name) in path.iter().enumerate() {
            let here = &self.modules[module];
            // A function, a constant or a macro can have the name of a module, because they are in different
            // name spaces.
            let is_item = depth + 1 == path.len() && here.defines_or_uses(name);
            if let Some(&child) = here.children.get(name).filter(|_| !is_item) {
                module = child;
                continue;
            }
            let through = |used: &Use, from: usize| {
                let target = self.absolute(module, &used.path, steps + 1)?;
                self.file_of(&[&target, &path[from..]].concat(), steps + 1)
            };
            // As in the compiler, an item of the module precedes an item from a glob.
            if here.items.contains(name) || steps >= LONGEST_WAY {
                return Some(&here.file);
            }
            if let Some(used) = here.uses.iter().find(|used| used.name == *name) {
                return through(used, depth + 1);
            }
            let globs = here.uses.iter().filter(|used| used.name == "*" && used.is_public);
            let defines = |used: &&Use| {
                let target = self.absolute(module, &used.path, steps + 1);
                let target = target.and_then(|target| self.module_at(&target));
                target.is_some_and(|target| self.modules[target].has(name))
            };
            return globs.into_iter().find(defines).map_or(Some(&here.file), |used| through(used, depth));
        }
        None
    }

    fn module_at(&self, path: &[String]) -> Option<usize> {
        path.iter().try_fold(0, |module, name| self.modules[module].children.get(name).copied())
    }

    fn path_of(&self, module: usize) -> Path {
        let Some(parent) = self.modules[module].parent else { return Path::new() };
        let own = self.modules[parent].children.iter().find(|(_, child)| **child == module);
        [self.path_of(parent), own.map(|(name, _)| name.clone()).into_iter().collect()].concat()
    }
}

impl Module {
    fn has(&self, name: &String) -> bool {
        self.children.contains_key(name) || self.defines_or_uses(name)
    }

    fn defines_or_uses(&self, name: &String) -> bool {
        self.items.contains(name) || self.uses.iter().any(|used| used.name == *name)
    }
}

/// The contents of one item at any depth: modules, `use` declarations and paths.
#[derive(Default)]
struct Reader<'i> {
    modules: Vec<&'i ItemMod>,
    uses: Vec<Use>,
    paths: Vec<Path>,
}

impl<'i> Visit<'i> for Reader<'i> {
    fn visit_item(&mut self, item: &'i Item) {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Mod(module) => self.modules.push(module),
            Item::Use(used) if !is_test(&used.attrs) => self.read_use(used),
            Item::Use(_) => {}
            Item::Fn(function) if is_test(&function.attrs) => {}
            item => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'i syn::Path) {
        self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'i Macro) {
        self.visit_path(&call.path);
        self.read_tokens(call.tokens.clone());
    }
}

impl Reader<'_> {
    fn read_use(&mut self, used: &ItemUse) {
        let is_public = !matches!(used.vis, Visibility::Inherited);
        self.read_tree(&used.tree, Path::new(), is_public);
    }

    fn read_tree(&mut self, tree: &UseTree, mut path: Path, is_public: bool) {
        let mut leaf = |name: String, path: Path| {
            // `use a::{self}` is `use a`.
            let (name, path) = match path.split_last() {
                Some((last, rest)) if last == "self" && !rest.is_empty() => {
                    let own = if name == "self" { rest[rest.len() - 1].clone() } else { name };
                    (own, rest.to_vec())
                }
                _ => (name, path),
            };
            self.uses.push(Use { name, path, is_public });
        };
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.read_tree(&part.tree, path, is_public);
            }
            UseTree::Name(part) => {
                path.push(part.ident.to_string());
                leaf(part.ident.to_string(), path);
            }
            UseTree::Rename(part) => {
                path.push(part.ident.to_string());
                leaf(part.rename.to_string(), path);
            }
            UseTree::Glob(_) => leaf("*".to_owned(), path),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.read_tree(tree, path.clone(), is_public));
            }
        }
    }

    /// Reads paths among the arguments of a macro: names joined by `::`.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let mut path = Path::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) if colons == 2 => path.push(name.to_string()),
                TokenTree::Ident(name) => {
                    self.paths.push(std::mem::replace(&mut path, vec![name.to_string()]));
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => {
                    self.paths.push(std::mem::take(&mut path));
                    self.read_tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => self.paths.push(std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.paths.push(path);
    }
}

/// Returns whether an item exists only for tests.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        text == "test" || text.starts_with("cfg") && text.contains("test") && !text.contains("not")
    })
}

/// Returns the name that an item defines.
fn name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
