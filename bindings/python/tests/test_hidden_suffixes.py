"""Hidden lists under another public suffix list than their own, and hosts that are spelled to get past one."""

import pickle

import pytest

import urlid

OWN = "// VERSION: own\nio\n"


def listed(**keywords):
    return urlid.HiddenList.make(["http://github.io/"], ladder="hosts", **keywords)


def test_a_text_under_another_suffix_list_raises():
    own = urlid.SuffixList(OWN)
    made = listed(suffixes=own)
    text = urlid.HiddenList(made.to_text())
    for look_up in (
        lambda: text.find("http://a.github.io/x"),
        lambda: text.audit(["http://a.github.io/x"]),
        lambda: urlid.HiddenList(made.to_text(), suffixes=urlid.SuffixList("com\n")),
        lambda: made.find("http://a.github.io/x", suffixes=urlid.SuffixList("com\n")),
    ):
        with pytest.raises(urlid.UrlidError) as raised:
            look_up()
        assert raised.value.code == "ERR_SNAPSHOT"
    assert text.find("http://a.github.io/x", suffixes=own) is not None
    assert text.find("http://a.github.io/x", other_suffix_list=True) is None
    assert urlid.HiddenList(made.to_text(), suffixes=own).find("http://a.github.io/x") is not None


def test_a_compiled_list_carries_its_suffix_list():
    made = listed(suffixes=urlid.SuffixList(OWN))
    for hidden in (made, urlid.HiddenList.from_compiled(made.to_compiled()), pickle.loads(pickle.dumps(made))):
        assert hidden.find("http://a.github.io/x") is not None


def test_credentials_and_a_final_dot_do_not_hide_a_url():
    urls = ["http://x@evil.example/", "http://evil.example./"]
    plain = urlid.HiddenList.make(["http://evil.example/"])
    written = urlid.HiddenList.make(["http://evil.example/"], host="written")
    assert (plain.host, [plain.find(url) is not None for url in urls]) == ("plain", [True, True])
    assert (written.host, [written.find(url) is not None for url in urls]) == ("written", [False, False])
    assert urlid.HiddenList.make(["http://h/"], intake="rfc3986").host == "written"
    with pytest.raises(ValueError, match="host"):
        urlid.HiddenList.make(["http://h/"], intake="rfc3986", host="plain")
