from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.readers.scope import DEFAULT, normalise, of_options, of_roots, shown

ONE_SPELLING = {
    "c:/s": [
        r"C:\s", "c:/s", "/c/s", r"\\?\C:\s", "C:\\s\\", "C:/s/", "/c/s/", "/C/s", r"C:\\s", r"c:\.\s",
        "/c//./s", "/./c/s", r"C:/.\s\.", r"\\?\c:\s\\",
    ],
    "c:/": ["C:\\", "c:/", "/c", "/c/", r"\\?\C:\\"],
    "c:/S/t": [r"C:\S\t", r"/c/S\t", "c:/S//t/"],
    "/srv/packs": ["/srv/packs", "/srv/packs/", "//srv//packs", "/srv/./packs/.", "/./srv/packs//"],
    "/": ["/", "//", "/.", "/./"],
    "/srv/a\\b": ["/srv/a\\b", "/srv//a\\b/"],
    "/srv/Packs": ["/srv/Packs"],
    "/srv/K\u00fcche": ["/srv/K\u00fcche"],
    "/srv/Ku\u0308che": ["/srv/Ku\u0308che"],
    "/srv/...": ["/srv/..."],
    "/\u00e9/s": ["/\u00e9/s"],
    "\\\\server/share/s": [
        r"\\server\share\s", r"\\?\UNC\server\share\s",
        "\\\\server\\share\\\\s\\", "\\\\server/share/./s",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("spelling", "expected"), [(s, e) for e, many in ONE_SPELLING.items() for s in many])
def test_all_spellings_of_a_folder_are_one(spelling: str, expected: str) -> None:
    """Slashes, drive letters and prefixes are spelling; the case of a name and its code points are not."""
    assert normalise(spelling) == expected


@pytest.mark.parametrize(
    "path",
    [
        "", ".", "s", "s/t", "./s", "../s", "~", "~/s", "$HOME/s", "C:", "C:s", r"\s", "\\", "1:/s", "é:/s",
        "/a/..", "/a/../b", "/..", r"C:\a\..\b", "C:/..", "/c/..", r"/c/a\..\b", r"\\server\share\..",
        r"\\server", "\\\\", r"\\\server\share", r"\\.\C:\s", r"\\?\s\t", r"\\?\UNC\server", r"\\?\UNC\?\s",
        r"\\?\/s", "file:///s", "/a\0b", "C:\\a\0", " /a",
    ],
)  # fmt: skip
def test_what_is_not_surely_one_absolute_path_is_refused(path: str) -> None:
    """Relative to a folder, a drive or a home, up again, or a device: no payload says where that leads."""
    assert normalise(path) is None


paths = st.lists(
    st.sampled_from(
        ["/", "\\", ".", "..", "?", "c", "C:", "D:", "s", "UNC", "a b", "é", "\0", "~", "\ud800"]
    ),
    max_size=9,
).map("".join) | st.text(max_size=12)


@given(path=paths)
@example("\\\\?\\UNC\\?\\C:")
@example("/c/\\\\?\\")
def test_normalising_twice_is_normalising_once(path: str) -> None:
    """The one spelling is a spelling of itself."""
    once = normalise(path)
    assert once is None or normalise(once) == once


@given(path=paths)
def test_more_slashes_and_dots_change_nothing(path: str) -> None:
    """A trailing slash, and a dot after it, are spelling wherever a path is accepted."""
    once = normalise(path)
    assert once is None or normalise(path + "/./") == once


def test_the_scope_of_roots_is_the_set_of_their_folders() -> None:
    """Neither order nor repeats nor spelling count; another set is another scope."""
    expected = of_roots(["/a/x", "c:/s"])
    assert of_roots(["C:\\s\\", "/a//x", "/c/s", "/a/x/"]) == expected
    other_sets = [["/a/x"], ["c:/s"], ["/a/x", "/c:/s"], ["/a/x", "/c/s", "/b"], ["/ab/xy"], ["/ab", "/xy"]]
    assert len({expected, *(of_roots(roots) for roots in other_sets)}) == 1 + len(other_sets)


def test_one_uncertain_root_makes_the_scope_unknown() -> None:
    """A scope of the certain roots alone would claim too little."""
    assert of_roots(["/a", "b"]) is None
    assert of_roots([".."]) is None


def test_a_scope_shows_no_path() -> None:
    """An id is its kind and sixteen digits of a hash, the same on every machine and in every run."""
    assert of_roots(["/ff", "/bb", "C:\\", "/ee", "/aa", "/dd"]) == "roots-105ba3d2526af830"
    assert of_roots(["/home/ann/packs"]) == "roots-4264bba56daa5b06"
    assert of_options("/home/ann", None, no_project=False) == "options-6605c59a7f47ec1b"


def test_an_odd_name_still_has_a_scope() -> None:
    """A folder whose name is not valid Unicode is a folder."""
    assert of_roots(["/\udcff"]) not in {None, of_roots(["/\udcfe"])}


def test_each_option_counts_in_the_scope() -> None:
    """The same root as a store and as a project are two scopes, and so is leaving the project out."""
    scopes = [
        of_options(store, project, no_project=alone)
        for store, project, alone in [
            (None, None, False), (None, None, True), ("/a", None, False), ("/a", None, True),
            (None, "/a", False), ("/a", "/b", False), ("/b", "/a", False), ("/b", None, False),
        ]
    ]  # fmt: skip
    assert scopes[0] == DEFAULT
    assert None not in scopes
    assert len(set(scopes)) == len(scopes)


@pytest.mark.parametrize(
    ("store", "project"), [("a", None), (None, "a"), ("/a", "b"), ("a", "/b"), ("/a/..", None)]
)
def test_a_relative_option_makes_the_scope_unknown(store: str | None, project: str | None) -> None:
    """No payload proves the folder in which the command ran."""
    assert of_options(store, project, no_project=False) is None


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("a.md", None, "a.md"),
        ("a/b.md", "/srv/x", "a/b.md"),
        ("a\\b.md", None, "a\\b.md"),
        ("./a.md", None, "./a.md"),
        ("a..b/...c", None, "a..b/...c"),
        ("", None, ""),
        ("@org/web", None, "@org/web"),
        ("Küche 📚.md", None, "Küche 📚.md"),
        ("/srv/x/a/b.md", "/srv/x", "a/b.md"),
        ("/srv/x//a.md", "/srv/./x/", "a.md"),
        ("C:\\s\\a\\b.md", "/c/s", "a/b.md"),
        ("/a.md", "/", "a.md"),
        ("/c/a.md", "C:\\", "a.md"),
        ("\\\\n\\s\\x\\a.md", "\\\\?\\UNC\\n\\s\\x", "a.md"),
        ("/srv/x", "/srv/x", None),
        ("/srv/xy/a.md", "/srv/x", None),
        ("/srv/a.md", "/srv/x", None),
        ("/srv/x/a.md", None, None),
        ("/srv/x/a.md", "", None),
        ("/srv/x/a.md", "srv/x", None),
        ("/srv/x/../a.md", "/srv/x", None),
        ("../a.md", "/srv/x", None),
        ("a/../../b.md", "/srv/x", None),
        ("a\\..\\b.md", None, None),
        ("~/a.md", "/srv/x", None),
        ("\\a.md", None, None),
        ("\\\\n\\s\\a.md", None, None),
        ("C:a.md", None, None),
        ("file:///home/ann/a.md", "/home/ann", None),
    ],
)  # fmt: skip
def test_only_a_path_inside_its_root_may_be_shown(path: str, root: str | None, expected: str | None) -> None:
    """An absolute path is shown as what lies below its pack's root, or the source is refused."""
    assert shown(path, root) == expected
