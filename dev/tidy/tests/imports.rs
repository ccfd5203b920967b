//! Tests which constructs count as imports, in Rust and in Python.

use tidy::{File, imports};

/// Returns the imports among a few files, as `from -> to` in order.
fn imports(sources: &[(&str, &str)]) -> Vec<String> {
    let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
    let imports = imports::of(&sources.iter().map(file).collect::<Vec<_>>());
    imports.pairs().map(|(from, to)| format!("{from} -> {to}")).collect()
}

#[test]
fn a_path_to_an_item_is_an_import_of_the_file_that_defines_it() {
    let root = ("x/src/lib.rs", "mod a; mod b; mod c;");
    let defines = ("x/src/b.rs", "pub struct Item; pub fn call() {}");
    for text in [
        "use crate::b::Item;",
        "use super::b::{Item as Other};",
        "use crate::b; fn f() { b::call() }",
        "fn f() -> crate::b::Item { todo!() }",
        "fn f() { assert!(crate::b::call() == ()) }",
        "use super::c::Item;",
        "mod inner { use super::super::b::Item; }",
    ] {
        let sources = [root, defines, ("x/src/a.rs", text), ("x/src/c.rs", "pub use super::b::Item;")];
        let found = imports(&sources);
        assert!(found.contains(&"x/src/a.rs -> x/src/b.rs".to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn declarations_reexports_and_unit_tests_are_not_imports() {
    let child = ("x/src/a/b.rs", "pub struct Item;");
    for text in [
        "mod b;",
        "mod b; pub use b::Item;",
        "mod b; pub(crate) use self::b::*;",
        "mod b; #[cfg(test)] mod tests { use super::b::Item; }",
        "mod b; use other::b::Item;",
    ] {
        let found = imports(&[("x/src/lib.rs", "mod a;"), ("x/src/a/mod.rs", text), child]);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn a_function_with_the_name_of_a_module_is_imported_too() {
    for (root, file) in [
        ("mod a; mod b; pub fn b() { b::call() }", "x/src/lib.rs"),
        ("mod a; mod b; pub use b::b;", "x/src/b.rs"),
    ] {
        for text in ["fn f() { super::b() }", "fn f() { crate::b() }", "use crate::b; fn f() { b() }"] {
            let defines = ("x/src/b.rs", "pub fn call() {} pub fn b() {}");
            let found = imports(&[("x/src/lib.rs", root), ("x/src/a.rs", text), defines]);
            assert!(found.contains(&format!("x/src/a.rs -> {file}")), "{root}, {text}: {found:?}");
        }
    }
}

#[test]
fn python_modules_import_what_their_statements_name() {
    let sources = [
        ("p/urlid/__init__.py", "from urlid.a import x\nimport json\n"),
        ("p/urlid/a.py", "import urlid.b.c\n"),
        ("p/urlid/b/__init__.py", "def f():\n    from urlid import a\n"),
        ("p/urlid/b/c.py", "\"\"\"Text.\"\"\"\n"),
    ];
    assert_eq!(
        imports(&sources),
        [
            "p/urlid/__init__.py -> p/urlid/a.py",
            "p/urlid/a.py -> p/urlid/b/c.py",
            "p/urlid/b/__init__.py -> p/urlid/a.py",
        ]
    );
}
