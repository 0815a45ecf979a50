"""What SQLite, the file system and the codecs raise, put into the ledger's own reasons."""

import errno

import apsw
import msgspec

from ledger.errors import StoreError

CAUGHT = (apsw.Error, OSError, UnicodeError, OverflowError, msgspec.MsgspecError)
"""Everything that using the store can raise without a bug of ours."""

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DENIED = {errno.EROFS, errno.EACCES, errno.EPERM}

_OF_SQLITE: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "store-full"),
    (apsw.ReadOnlyError, "store-read-only"),
    (apsw.PermissionsError, "store-read-only"),
    (apsw.BusyError, "store-locked"),
    (apsw.LockedError, "store-locked"),
    # The locking protocol of some file systems gives up under load; it is worth another try.
    (apsw.ProtocolError, "store-locked"),
    (apsw.NotADBError, "store-corrupt"),
    (apsw.CorruptError, "store-corrupt"),
)


def _of_number(number: int) -> str:
    if number in _FULL:
        return "store-full"
    if number in _DENIED:
        return "store-read-only"
    return "store-failed"


def _reason(error: Exception, connection: apsw.Connection | None) -> str:
    for kind, reason in _OF_SQLITE:
        if isinstance(error, kind):
            return reason
    if isinstance(error, (apsw.IOError, apsw.CantOpenError)) and connection is not None:
        return _of_number(connection.system_errno)
    if isinstance(error, OSError):
        return _of_number(error.errno or 0)
    if isinstance(error, (UnicodeDecodeError, msgspec.MsgspecError)):
        # It was encoded by us, so something else has written it.
        return "store-corrupt"
    return "store-failed"


def translated(error: Exception, connection: apsw.Connection | None) -> StoreError:
    """Return the error as a StoreError; its detail is the name of the original, never its text."""
    return StoreError(_reason(error, connection), type(error).__name__)
