"""Reads a page as a parser of HTML does: its elements, their text, and whether they nest."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "input", "br", "use", "path"}
"""Elements without an end; those of an SVG end in themselves."""


class Element:
    """One element with everything inside it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        """Start empty."""
        self.tag = tag
        self.attributes = attributes
        self.inside: list[Element | str] = []

    @property
    def text(self) -> str:
        """All text inside, in its order."""
        return "".join(one if isinstance(one, str) else one.text for one in self.inside)

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        """Return the elements inside with this tag and these attributes; a class is one of several."""
        found = []
        for one in self.inside:
            if isinstance(one, Element):
                if (not tag or one.tag == tag) and one.has(attributes):
                    found.append(one)
                found += one.all(tag, **attributes)
        return found

    def one(self, tag: str = "", **attributes: str) -> Element:
        """Return the only element that `all` finds."""
        [found] = self.all(tag, **attributes)
        return found

    def has(self, attributes: dict[str, str]) -> bool:
        """Whether the element has these attributes; `class_` asks for one class."""
        for name, value in attributes.items():
            held = self.attributes.get(name.rstrip("_"), "")
            if value not in (held.split() if name == "class_" else [held]):
                return False
        return True


class _Reader(HTMLParser):
    """Builds the tree and refuses whatever does not nest."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"{tag} has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop().tag == tag, f"{tag} ends where another is open"

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def parsed(html: str) -> Element:
    """Return the page as a tree; a page that does not nest is a failure."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert [one.tag for one in reader.open] == [""]
    return reader.open[0]
