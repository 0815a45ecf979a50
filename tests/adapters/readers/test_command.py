from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.readers.command import LONGEST, words

SIMPLE = [
    ("lore", ("lore",)),
    ("lore get a.b --json", ("lore", "get", "a.b", "--json")),
    (" \tlore  get\ta.b \t", ("lore", "get", "a.b")),
    ("\n lore get a.b\n\n", ("lore", "get", "a.b")),
    ("cat 'a b' \"c d\"", ("cat", "a b", "c d")),
    ("cat '' \"\"", ("cat", "", "")),
    ("cat 'a|b;c>d$e`f\\g!h*' x", ("cat", "a|b;c>d$e`f\\g!h*", "x")),
    ('cat "it\'s; a | b > c"', ("cat", "it's; a | b > c")),
    ("cat 'say \"x\"'", ("cat", 'say "x"')),
    ("cat --root='/a b' --root=\"/c d\"", ("cat", "--root=/a b", "--root=/c d")),
    ("cat --root=a=b x=", ("cat", "--root=a=b", "x=")),
    ("cat 'Küche 📚'", ("cat", "Küche 📚")),
    ("/usr/bin/lore get", ("/usr/bin/lore", "get")),
    ("time lore", ("time", "lore")),
    ("cat '#x' a@b:c+d_e-f/g.h", ("cat", "#x", "a@b:c+d_e-f/g.h")),
]


@pytest.mark.parametrize(("command", "expected"), SIMPLE)
def test_a_simple_command_gives_its_words(command: str, expected: tuple[str, ...]) -> None:
    """Blanks part words, quotes hold them together, nothing else has a meaning."""
    assert words(command) == expected


REFUSED = {
    "nothing": ["", " ", "\t \t"],
    "an operator": [
        f"lore get x {sign} y" for sign in ("|", "||", "&", "&&", ";", ";;", "<", ">", ">>", "2>&1")
    ],
    "an operator without blanks": ["lore get x|cat", "lore get x;cat", "lore get x&", "a>b", "a<b"],
    "a substitution": [
        "a $(b)",
        "a `b`",
        "a $b",
        "a ${b}",
        "a $'b'",
        'a $"b"',
        'a "$b"',
        'a "`b`"',
        "a <(b)",
    ],
    "a group": ["(a)", "{ a; }", "{a,b}", "a() { b; }", "a {b..c}"],
    "a pattern": ["a *", "a ?", "a [b]", "a ~", "a ~/b", "a --c=~/d", "a b^c"],
    "a comment": ["# a", "a # b", "a #b"],
    "an escape": ["\\a", "a \\b", "a b\\", 'a "b\\c"', "a \\\nb"],
    "history": ["! a", "!!", "a !b", 'a "b!c"', "^a^b"],
    "an assignment": ["A=1", "A=1 b", "A='1' b", "A+=1 b", "a=b=c d"],
    "a quoted first word": ["'a' b", '"a" b', "''"],
    "a pieced word": ['"lo"re get', "lo're' get", "a b'c'", "a 'b'c", "a 'b''c'", "a --d='e'f", "a --d=e'f'"],
    "an open quote": ["a 'b", 'a "b', "a '", "a b'", "a --c='d"],
    "a line": ["a\nb", "a\n\nb", "a 'b\nc'", "a\rb", "a\r", "a\x0bb", "a\x0cb", "a <<E\nb\nE"],
    "a control character": [
        "a\0b",
        "a 'b\0c'",
        "a \x1b[0m",
        "a 'b\tc'",
        'a "b\tc"',
        "a 'b\x7f'",
        "a 'b\x85c'",
    ],
    "what cannot be seen": [
        "a 'b\u200bc'",
        "a '\u202eb'",
        "a '\ufeffb'",
        "\ufeffa b",
        "a '\ud800'",
        "a \udcff",
    ],
    "another blank": ["a\u00a0b", "a\u2003b", "a\u3000b", "a\u2028b", "a 'b\u00a0c'", "\u00a0a"],
    "a look-alike": [
        "l\u043ere get x",
        "\uff4core get x",
        "lore get x \uff5c y",
        "lore get \u2018x\u2019",
        "lore get \u2013x",
    ],
    "what another shell minds": ["a =b", "a %b", "a b,c", "a @b", "a %PATH%"],
}


@pytest.mark.parametrize(
    "command",
    [pytest.param(command, id=f"{why}: {command!a}") for why, many in REFUSED.items() for command in many],
)
def test_whatever_is_not_plainly_one_simple_command_is_refused(command: str) -> None:
    """In doubt the answer is None; each of these means more or less than its words."""
    assert words(command) is None


def test_a_command_has_a_longest_length() -> None:
    """The bound counts the whole text, blanks included."""
    assert words("a" * LONGEST) == ("a" * LONGEST,)
    assert words("a" * LONGEST + " ") is None


SHELLS = [shell for shell in ("sh", "dash", "bash", "zsh") if shutil.which(shell)]

pieces = st.sampled_from(
    [*" \t'\"=-/.:@+\\$`!#~*?[]{}()<>|&;,^%\n", "a", "b.c", "--d", "é", "' '", '" "', " --e='f g' "]
)


@pytest.mark.parametrize("shell", SHELLS)
@settings(max_examples=25, deadline=None)
@given(texts=st.lists(st.lists(pieces, max_size=9).map("".join), min_size=30, max_size=60))
def test_a_real_shell_sees_the_same_words(shell: str, texts: list[str]) -> None:
    """What is accepted means the same to the shell: no word more, none less, none changed."""
    accepted = [(text, said) for text in texts if (said := words(f"cat {text}")) is not None]
    script = "\n".join(f"printf '<%s>' {text.rstrip()}; printf '\\n'" for text, _ in accepted)
    expected = "".join("".join(f"<{word}>" for word in said[1:] or ("",)) + "\n" for _, said in accepted)
    ran = subprocess.run([shell, "-c", script], capture_output=True, text=True, check=False, cwd="/")
    assert (ran.stdout, ran.stderr) == (expected, "")
