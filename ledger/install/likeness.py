"""What a file has beside its bytes (owner, mode, extended attributes), given to the one in its place."""

import errno
import os
import stat
from pathlib import Path

NO_ATTRIBUTES = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})
"""What a file system answers that knows no extended attributes."""


class Unkept(Exception):  # noqa: N818 - it becomes a refusal
    """An extended attribute of a file cannot be given to the one that takes its place."""


def liken(opened: int, model: Path, status: os.stat_result) -> None:
    """Give a file the owner, the mode and the extended attributes of another; raises OSError, and Unkept."""
    if (status.st_uid, status.st_gid) != _owner(os.fstat(opened)):
        os.fchown(opened, status.st_uid, status.st_gid)
    os.fchmod(opened, stat.S_IMODE(status.st_mode))
    # After the mode, which an access list repeats.
    wanted, given = _attributes(model), _attributes(opened)
    for name, value in wanted.items():
        if given.get(name) != value:
            try:
                os.setxattr(opened, name, value)
            except OSError as error:
                raise Unkept(name, error.strerror) from error


def _attributes(file: Path | int) -> dict[str, bytes]:
    """Return the extended attributes of a file; none where the system or the file system has none."""
    if not hasattr(os, "listxattr"):
        return {}
    try:
        return {name: os.getxattr(file, name) for name in os.listxattr(file)}
    except OSError as error:
        if error.errno in NO_ATTRIBUTES:
            return {}
        raise


def _owner(status: os.stat_result) -> tuple[int, int]:
    return status.st_uid, status.st_gid
