r"""Whether a text is one simple shell command that says outright which words it runs.

The rule is "refuse whatever is not plainly that", so the grammar is one short allow-list. A shell parser
(bashlex, tree-sitter) answers the opposite question, what else a text could be, and `shlex` takes a pipe,
a substitution or a comment for words.

Plain characters are those that no common shell treats specially. Outside quotes they are ASCII only: some
builds of bash take a byte of an accented letter for a blank. A quoted part is a word of its own or the value
after a name's `=`, as in `--store-root='/a b'`; a word pieced together in another way hides what it says.
"""

import re

LONGEST = 8192
"""Longest command that is looked at, in characters."""

_WORD = re.compile(
    r"""
    (?: (?P<plain> [A-Za-z0-9_./:+-] [A-Za-z0-9_./:+@=-]*+ )
      | (?P<name> (?: [A-Za-z0-9_./:+-] [A-Za-z0-9_./:+@-]*+ = )? )
        (?: ' (?P<single> [^'\t]*+ ) ' | " (?P<double> [^"\t$`\\!]*+ ) " )
    ) (?: [ \t]++ | \Z )
    """,
    re.VERBOSE,
)


def words(command: str) -> tuple[str, ...] | None:
    """Return the words of one simple command as the shell hands them on, or None when in any doubt.

    The first word is plain, so it is neither an assignment nor quoted. It may still be a keyword such as
    `time`, a wrapper such as `env`, or the name of an alias or a function: which first word a caller takes
    is for the caller to say, and no text can tell what a name stands for in the shell that ran it.
    """
    # Blanks and empty lines around a command change nothing of what runs; hosts pass them on as typed.
    text = command.strip(" \t\n")
    if len(command) > LONGEST or not text.replace("\t", " ").isprintable():
        return None
    found: list[str] = []
    position = 0
    while position < len(text):
        word = _WORD.match(text, position)
        if word is None or (not found and (not word["plain"] or "=" in word["plain"])):
            return None
        found.append(word["plain"] or word["name"] + (word["single"] or word["double"] or ""))
        position = word.end()
    return tuple(found) or None
