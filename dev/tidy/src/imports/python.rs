//! The imports of Python's modules, by their `import` statements.

use crate::File;
use crate::circles::Imports;

/// Adds the imports among the modules of each package, which is a folder with an `__init__.py`.
pub(super) fn read(sources: &[File], imports: &mut Imports) {
    // `…/python/urlid/spark/sql.py` is `urlid.spark.sql` in `…/python/`.
    let is_file = |path: &str| sources.iter().any(|file| file.path == path);
    for File { path, text } in sources.iter().filter(|file| file.path.ends_with(".py")) {
        let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        while let Some((above, _)) = folder.rsplit_once('/')
            && is_file(&format!("{folder}/__init__.py"))
        {
            folder = above;
        }
        let find = |name: &str| {
            let stem = format!("{folder}/{}", name.replace('.', "/"));
            [format!("{stem}.py"), format!("{stem}/__init__.py")].into_iter().find(|path| is_file(path))
        };
        for (module, names) in text.lines().filter_map(statement) {
            for name in &names {
                let submodule = format!("{module}.{name}");
                let (found, named) = match find(&submodule) {
                    Some(found) => (Some(found), submodule),
                    None => (find(module), module.to_owned()),
                };
                found.iter().for_each(|to| imports.add(path, to, &named));
            }
        }
    }
}

/// Reads `import a.b` and `from a.b import c, d` at any depth. Only the names in the first line of a list in
/// parentheses are read.
fn statement(line: &str) -> Option<(&str, Vec<&str>)> {
    let line = line.split('#').next().unwrap_or_default().trim();
    if let Some(rest) = line.strip_prefix("from ") {
        let (module, names) = rest.split_once(" import ")?;
        let names =
            names.trim_matches(['(', ')']).split(',').map(|name| name.split(" as ").next().unwrap_or(name));
        return Some((module.trim(), names.map(str::trim).collect()));
    }
    let module = line.strip_prefix("import ")?.split(" as ").next()?;
    Some((module.trim(), vec![""]))
}
