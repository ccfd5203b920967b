"""Hidden lists and hosts: entries above public suffixes, and hosts that are spelled to bypass a list."""

import pickle

import pytest

import urlid


def test_an_entry_above_a_public_suffix_matches_below_it():
    made = urlid.HiddenList.make(["http://amazonaws.com/", "http://github.io/"], covers="subdomains")
    assert "# covers: subdomains\n" in made.to_text()
    for hidden in (
        made,
        urlid.HiddenList(made.to_text()),
        urlid.HiddenList.from_compiled(made.to_compiled()),
        pickle.loads(pickle.dumps(made)),
    ):
        assert hidden.covers == "subdomains"
        for url in ("http://b.s3.amazonaws.com/x", "http://a.github.io/", "http://.github.io/"):
            assert hidden.find(url) is not None, url
        assert hidden.find("http://a.b.c.x.github.com/") is None


def test_credentials_and_a_final_dot_do_not_hide_a_url():
    urls = ["http://x@evil.example/", "http://evil.example./"]
    plain = urlid.HiddenList.make(["http://evil.example/"])
    keep = urlid.HiddenList.make(["http://evil.example/"], user_info="keep")
    assert (plain.user_info, [plain.find(url) is not None for url in urls]) == ("drop", [True, True])
    assert (keep.user_info, [keep.find(url) is not None for url in urls]) == ("keep", [False, False])
    assert urlid.HiddenList.make(["http://h/"], intake="rfc3986").user_info == "keep"
    with pytest.raises(ValueError, match="user_info"):
        urlid.HiddenList.make(["http://h/"], intake="rfc3986", user_info="drop")
