r"""Opaque ids of the stores that items come from, and which paths inside them may be shown.

Everything here is about spellings only: no file system is asked, so two names of one folder (a link, a
mount, another case of a name on a system that ignores case) are two scopes. That splits, it never mixes.
"""

import hashlib
import re
from collections.abc import Iterable

from contracts.library import Root

DEFAULT = "default"
"""The scope of a reader that was given no roots: its own default store."""

_VERBATIM = "\\\\?\\"
_UNC = "\\\\"
_DRIVE = re.compile(r"([A-Za-z]):[\\/]")
_ELSEWHERE = re.compile(r"[\\/~]|[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*://")


def normalise(path: str) -> str | None:
    r"""Return one spelling for all spellings of an absolute path, or None where that is not certain.

    `C:\s`, `c:/s`, `/c/s` (Git Bash), `\\?\C:\s`, `C:\s\`, `C:\\s` and `C:\.\s` are all `c:/s`; on names
    no case is folded but the drive's. A relative path, a `..`, a NUL and a device (`\\.\`) are refused.
    """
    if path.startswith(_VERBATIM):
        path = path.removeprefix(_VERBATIM)
        if path.startswith("UNC\\"):
            path = _UNC + path.removeprefix("UNC\\")
        elif not _DRIVE.match(path):
            return None
    if drive := _DRIVE.match(path):
        prefix, rest = f"{drive[1].lower()}:/", path[3:].replace("\\", "/")
    elif path.startswith(_UNC):
        prefix, rest = _UNC, path[2:].replace("\\", "/")
    elif path.startswith("/"):
        prefix, rest = "/", path[1:]
    else:
        return None
    names = [name for name in rest.split("/") if name not in {"", "."}]
    if ".." in names or "\0" in path:
        return None
    if prefix == "/" and names and re.fullmatch("[A-Za-z]", names[0]):
        return normalise(f"{names[0]}:/{'/'.join(names[1:])}")
    if prefix == _UNC and (len(names) < 2 or rest.split("/")[0] in {"", ".", "?"}):  # noqa: PLR2004 - a server and its share
        return None
    return prefix + "/".join(names)


def of_roots(roots: Iterable[str]) -> str | None:
    """Return the scope of items that lie below these roots, or None if a root is not a certain absolute path.

    Order, repeats and spelling make no difference.
    """
    known = {normalise(root) for root in roots}
    certain = sorted(root for root in known if root is not None)
    return _opaque("roots", certain) if len(certain) == len(known) else None


def of_root(root: Root) -> str | None:
    """Return the scope of files below a root: of its place, or of the name that its user gave to it."""
    return _opaque("named", [root.scope]) if root.scope else of_roots([root.path])


def of_options(store_root: str | None, project_root: str | None, *, no_project: bool) -> str | None:
    """Return the scope of a reader that was told its roots, or `DEFAULT` if it was told nothing.

    None if a given root is relative: no payload proves the folder in which the command ran.
    """
    parts = ["no-project"] if no_project else []
    for name, given in (("store", store_root), ("project", project_root)):
        if given is not None:
            root = normalise(given)
            if root is None:
                return None
            parts.append(f"{name}={root}")
    return _opaque("options", parts) if parts else DEFAULT


def shown(path: str, root: str | None = None) -> str | None:
    """Return the path as an agent may see it: relative and without a way up, or None.

    A relative path stays as it is; an absolute one is made relative to the root inside which it lies.
    """
    if not _ELSEWHERE.match(path):
        return None if ".." in re.split(r"[\\/]", path) else path
    whole, above = normalise(path), normalise(root or "")
    if whole is None or above is None:
        return None
    below = whole.removeprefix(above.rstrip("/") + "/")
    return None if below == whole else below


def _opaque(kind: str, parts: list[str]) -> str:
    # "surrogatepass": an odd name of a folder has a scope too, and the hash is all that is kept of it.
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}-{digest[:16]}"
