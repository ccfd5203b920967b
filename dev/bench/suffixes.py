"""Prints the CPU time of a call of tldextract, tld and publicsuffix2 and of their drop-ins, and of a column by polars-tldextract: suffixes.py."""

import time
from collections.abc import Callable
from importlib.metadata import version

import polars
import polars_tldextract
import publicsuffix2 as publicsuffix2_package
import tld as tld_package
import tldextract as tldextract_package

import urlid.polars  # noqa: F401 (registers the namespace)
from urlid.compat import publicsuffix2, tld, tldextract

HOSTS = [f"www{number % 97}.h{number}.example.co.uk" for number in range(20_000)]
URLS = [f"https://{host}/a?b" for host in HOSTS]


def each(call: Callable[[str], object], texts: list[str]) -> Callable[[], object]:
    """Calls a function for each text."""
    return lambda: [call(text) for text in texts]


def main() -> None:
    """Calls both in turns, so that both have the same machine."""
    extract = tldextract_package.TLDExtract(suffix_list_urls=(), cache_dir=None)
    column = polars.DataFrame({"url": URLS})
    for name, package, dropin in (
        ("tldextract", each(extract, URLS), each(tldextract.extract, URLS)),
        ("tld", each(tld_package.get_fld, URLS), each(tld.get_fld, URLS)),
        ("publicsuffix2", each(publicsuffix2_package.PublicSuffixList().get_sld, HOSTS), each(publicsuffix2.get_sld, HOSTS)),
        ("polars-tldextract", lambda: column.select(polars_tldextract.registrable_domain("url")), lambda: column.select(polars.col("url").urlid.registered_domain())),
    ):
        best: dict[Callable[[], object], float] = {package: float("inf"), dropin: float("inf")}
        for call in (package, dropin) * 7:
            begin = time.process_time()
            call()
            best[call] = min(best[call], (time.process_time() - begin) / len(URLS))
        print(f"{name} {version(name)}: {best[package] * 1e9:.0f} ns, {best[dropin] * 1e9:.0f} ns, {best[package] / best[dropin]:.1f} times as fast")


if __name__ == "__main__":
    main()
