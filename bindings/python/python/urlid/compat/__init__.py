"""Drop-ins for other packages: their functions under their names, with results that do not depend on installed packages.

Each is a module with the name of a package, so that only the import changes:

>>> from urlid.compat.surt import surt
>>> surt("http://www.Example.com:80/a/../b?d&c")
'com,example)/b?c&d'
>>> from urlid.compat.w3lib import canonicalize_url
>>> canonicalize_url("http://h/?b&a#f", keep_fragments=True)
'http://h/?a=&b=#f'
>>> from urlid.compat.url_normalize import url_normalize
>>> url_normalize("//Example.com/a/../b", default_scheme="http")
'http://example.com/b'

>>> from urlid.compat import tldextract
>>> tldextract.extract("https://forums.bbc.co.uk/news").top_domain_under_public_suffix
'bbc.co.uk'

Where the package raises an error, the drop-in raises a `urlid.UrlidError`, which is a `ValueError`. The drop-in for tld raises
errors with the names of the package's errors. A missing feature raises a `NotImplementedError` that names it.
"""

from urlid.compat import publicsuffix2, surt, tld, tldextract, url_normalize, w3lib

__all__ = ["publicsuffix2", "surt", "tld", "tldextract", "url_normalize", "w3lib"]
