"""The examples in docstrings, those of compiled functions included."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import urlid
from urlid import _urlid

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


def test_everything_public_is_documented():
    undocumented = [
        name
        for name, doc in documented()
        if not doc and not any(part.startswith("_") for part in name.rsplit(".", 2)[-2:] if part != "_urlid")
        and name.startswith("urlid._urlid.")
    ]
    assert undocumented == []
