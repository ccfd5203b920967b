"""The examples in docstrings, including docstrings of compiled functions."""

import ast
import builtins
import doctest
import functools
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import urlid
from urlid import _urlid

PAGES = Path(__file__).parents[3] / "docs" / "spec"
MODULES = [module.name for module in pkgutil.walk_packages(urlid.__path__, "urlid.") if "__main__" not in module.name]


def documented():
    """Yields the name and the docstring of everything public."""
    for name in ["urlid", *MODULES]:
        module = importlib.import_module(name)
        yield name, module.__doc__
        for key, value in vars(module).items():
            is_own = getattr(value, "__module__", None) in (name, "urlid") or module is _urlid
            if key.startswith("__") or not is_own:
                continue
            yield f"{name}.{key}", inspect.getdoc(value)
            if inspect.isclass(value):
                for member, function in vars(value).items():
                    if isinstance(function, staticmethod):
                        function = function.__func__
                    yield f"{name}.{key}.{member}", getattr(function, "__doc__", None)


EXAMPLES = {name: doc for name, doc in documented() if isinstance(doc, str) and ">>>" in doc}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of(name):
    example = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    result = runner.run(example)
    assert result.attempted > 0 and result.failed == 0


def member(owner, name):
    """Returns the object with a name. An attribute of only instances is its annotation."""
    return getattr(owner, name, None) or owner.__annotations__[name]


@pytest.mark.parametrize("page", ["theory", "url-hash", "hashed-uri", "sxurl"])
def test_the_names_in_the_table_of(page):
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    table = [line for line in text.split("## Everything in the specification")[1].splitlines() if line.startswith("| ")]
    names = [name for row in table[2:] for name in re.findall("`([^`]+)`", row.split(" | ")[-1])]
    assert len(names) > 20
    for name in names:
        path, _, parameter = name.removesuffix("=)").partition("(")
        found = functools.reduce(member, path.split("."), builtins if hasattr(builtins, path) else urlid)
        assert not parameter or parameter in inspect.signature(found).parameters, name


def test_everything_public_is_documented():
    undocumented = [
        name
        for name, doc in documented()
        if not doc and not any(part.startswith("_") for part in name.rsplit(".", 2)[-2:] if part != "_urlid")
        and name.startswith("urlid._urlid.")
    ]
    assert undocumented == []


def test_the_stubs_name_what_is_there():
    stub = ast.parse((Path(urlid.__file__).parent / "_urlid.pyi").read_text(encoding="utf-8"))
    public = {name for name in vars(_urlid) if not name.startswith("_")}
    stubbed = {node.name for node in stub.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    stubbed |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert public == {name for name in stubbed if not name.startswith("_")}
    inherited = set(dir(object)) | {"__bytes__"}
    for node in stub.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            members = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            members |= {member.target.id for member in node.body if isinstance(member, ast.AnnAssign)}
            real = {name for name in vars(getattr(_urlid, node.name)) if not name.startswith("_")}
            assert real == {name for name in members if not name.startswith("_")}, node.name
            assert all(hasattr(getattr(_urlid, node.name), name) for name in members - inherited), node.name


COMING = (Path(__file__).parents[3] / "docs" / "coming-from.md").read_text(encoding="utf-8")
TWO_LINES = [block.splitlines() for block in re.findall(r"```python\n(from urlid\.compat.*?)```", COMING, re.DOTALL)]


@pytest.mark.parametrize("lines", TWO_LINES, ids=lambda lines: lines[0].split()[1])
def test_a_change_of_the_import_is_the_whole_change(lines):
    own, other = lines[0].split("  #")
    for import_ in (own, other):
        names = {}
        exec(import_.strip(), names)
        for line in lines[1:]:
            call, result = line.split("  # ")
            assert eval(call, dict(names)) == eval(result), (import_, call)


FORMS = re.findall(r"^(urlid\.canon\(.+\)) +# (?:.*: )?('.*')$", COMING, re.MULTILINE)


@pytest.mark.parametrize(("call", "form"), FORMS, ids=[call for call, _ in FORMS])
def test_the_key_of_a_different_library_is_as_shown(call, form):
    assert eval(call) == eval(form)


def test_every_drop_in_is_shown():
    modules = {module.name for module in pkgutil.iter_modules(importlib.import_module("urlid.compat").__path__)} - {"_suffixes"}
    shown = {re.search(r"urlid\.compat(?:\.| import )(\w+)", lines[0])[1] for lines in TWO_LINES}
    assert shown == modules
