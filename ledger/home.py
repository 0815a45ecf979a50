"""Where the state and the configuration live, decided by the environment alone; nothing here writes.

No platformdirs here: on the hook path its import costs 23 ms (median of 25 pairs, Python 3.11) on top
of a start of 74 ms, and these lines cost none.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ledger.errors import HomeError

CONFIG = "config.toml"
NAME = "readmark"


class StateFolder(msgspec.Struct, frozen=True):
    """The state folder and the source that decided on it.

    `source` is the name of an environment variable, or "passwd" for the password database.
    """

    path: Path
    source: str


def _chosen(environ: Mapping[str, str]) -> Path | None:
    """Return READMARK_HOME; an empty one is as good as none, a relative one is an error."""
    chosen = environ.get("READMARK_HOME", "")
    if not chosen:
        return None
    if not Path(chosen).is_absolute():
        raise HomeError("home-relative")
    return Path(chosen)


def _absolute(environ: Mapping[str, str], name: str) -> Path | None:
    """Return a folder named by a variable if it is absolute and not the root of the file system."""
    value = environ.get(name, "")
    # `/tmp/..` and `/.` are the root by other names.
    if not Path(value).is_absolute() or os.path.normpath(value) in {"/", "//"}:
        return None
    return Path(value)


def _passwd_home() -> Path | None:
    import pwd  # noqa: PLC0415 - rarely needed, and no module of Windows

    try:
        home = pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return None
    return _absolute({"passwd": home}, "passwd")


def _home(environ: Mapping[str, str], variable: str = "HOME") -> StateFolder:
    home = _absolute(environ, variable)
    if home is not None:
        return StateFolder(home, variable)
    home = _passwd_home() if variable == "HOME" else None
    if home is None:
        raise HomeError("home-missing")
    return StateFolder(home, "passwd")


def unnamed_home(environ: Mapping[str, str]) -> Path | None:
    """Return the home of the password database where that decides, or None where HOME names one.

    Raises HomeError, as `user_home` does.
    """
    home = _home(environ)
    return home.path if home.source == "passwd" else None


def user_home(environ: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the user's home; the password database decides where HOME names none. Raises HomeError."""
    return _home(environ, "USERPROFILE" if platform == "win32" else "HOME").path


def state_folder(environ: Mapping[str, str], platform: str = sys.platform) -> StateFolder:
    """Return the state folder; it need not exist.

    The first of these decides: READMARK_HOME; XDG_STATE_HOME, if absolute (the XDG specification ignores
    a relative one); the platform's default below HOME, if absolute; the same below the home of the
    password database. Raises HomeError("home-relative") or HomeError("home-missing").
    """
    chosen = _chosen(environ)
    if chosen is not None:
        return StateFolder(chosen, "READMARK_HOME")
    state = _absolute(environ, "XDG_STATE_HOME")
    if state is not None:
        return StateFolder(state / NAME, "XDG_STATE_HOME")
    if platform == "win32":
        local = _home(environ, "LOCALAPPDATA")
        return StateFolder(local.path / NAME, local.source)
    home = _home(environ)
    below = "Library/Application Support" if platform == "darwin" else ".local/state"
    return StateFolder(home.path / below / NAME, home.source)


def config_file(environ: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the configuration file; it need not exist.

    The first of these decides: READMARK_CONFIG, if absolute; READMARK_HOME; XDG_CONFIG_HOME, if absolute;
    the platform's default below HOME or the home of the password database. Raises as `state_folder` does.
    """
    named = _absolute(environ, "READMARK_CONFIG")
    if named is not None:
        return named
    chosen = _chosen(environ)
    if chosen is not None:
        return chosen / CONFIG
    config = _absolute(environ, "XDG_CONFIG_HOME")
    if config is not None:
        return config / NAME / CONFIG
    if platform == "win32":
        return _home(environ, "APPDATA").path / NAME / CONFIG
    return _home(environ).path / ".config" / NAME / CONFIG
