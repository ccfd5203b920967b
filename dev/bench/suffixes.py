"""Prints the CPU time of a call of tldextract, tld and publicsuffix2 and of their drop-ins: suffixes.py."""

import time
from collections.abc import Callable

import publicsuffix2 as publicsuffix2_package
import tld as tld_package
import tldextract as tldextract_package

from urlid.compat import publicsuffix2, tld, tldextract

HOSTS = [f"www{number % 97}.h{number}.example.co.uk" for number in range(20_000)]
URLS = [f"https://{host}/a?b" for host in HOSTS]


def main() -> None:
    """Calls both in turns, so that both have the same machine."""
    extract = tldextract_package.TLDExtract(suffix_list_urls=(), cache_dir=None)
    for name, package, dropin, texts in (
        ("tldextract", extract, tldextract.extract, URLS),
        ("tld.get_fld", tld_package.get_fld, tld.get_fld, URLS),
        ("publicsuffix2.get_sld", publicsuffix2_package.PublicSuffixList().get_sld, publicsuffix2.get_sld, HOSTS),
    ):
        best: dict[Callable[[str], object], float] = {package: float("inf"), dropin: float("inf")}
        for call in (package, dropin) * 7:
            begin = time.process_time()
            for text in texts:
                call(text)
            best[call] = min(best[call], (time.process_time() - begin) / len(texts))
        print(f"{name}: {best[package] * 1e9:.0f} ns, {best[dropin] * 1e9:.0f} ns, {best[package] / best[dropin]:.1f} times as fast")


if __name__ == "__main__":
    main()
