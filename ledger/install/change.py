"""Installs into and uninstalls from one file: looks, and where something must change, writes under a lock."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from filelock import FileLock, Timeout

from contracts.form import Reading
from ledger.install import files, hooks, made
from ledger.install.files import BOM, Changed, Found, Refusal
from ledger.install.handlers import Other, Pair, others
from ledger.install.likeness import Unkept
from ledger.install.reading import MARK, check
from ledger.install.text import Fault, place
from ledger.private import FILE_MODE, ensure_private

LOCK = "ledger.install-lock"
LOCK_SECONDS = 10
ATTEMPTS = 3
"""How often to look again at a file that others write at the same time."""

BUSY = Refusal("Another program keeps changing it.", "Try again when that has ended.")
TOO_LARGE = Refusal(f"With the hooks it would have more than {files.FILE_BYTES:,} bytes.", "Make it smaller.")
"""What is written must be read again, by an uninstall and by the next install."""

Fate = Literal["added", "updated", "moved", "unchanged", "removed"]
"""`moved` are hooks that stood under another matcher before."""


class Change(msgspec.Struct, frozen=True):
    """What a file was and what it is to be, or is now; None stands for no file.

    `backup` is where the bytes of before the install are, `dropped` says that a backup went with our hooks.
    `others` are hooks that call readmark in words of their user, which stay as they are.
    """

    file: Path
    target: Path
    before: bytes | None
    after: bytes | None
    events: dict[str, Fate]
    backup: Path | None = None
    dropped: bool = False
    others: tuple[Other, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether before and after differ."""
        return self.before != self.after


class Task(msgspec.Struct, frozen=True):
    """What to do with which file: `wanted` are the hooks to be there, None takes ours out.

    `reading` is how strictly the host reads the file: hooks in another one would never run.
    """

    file: Path
    host: str
    wanted: hooks.Wanted | None
    reading: Reading | None = None


def plan(task: Task) -> Change | Refusal:
    """Say what the task would change; changes nothing."""
    found = files.read(task.file)
    return found if isinstance(found, Refusal) else _planned(task, found)


def perform(task: Task, state: Path) -> Change | Refusal:
    """Do the task; `state` is the state folder, where the lock lies.

    Where nothing must change, or nothing may, nothing is left written, not even the lock. Raises HomeError.
    """
    found = files.read(task.file)
    change = found if isinstance(found, Refusal) else _planned(task, found)
    if isinstance(change, Refusal) or not change.changes:
        return change
    refusal = found if isinstance(found, Refusal) else _hindered(task, change, found)
    if refusal is not None:
        return refusal
    target = change.target
    try:
        for _ in range(ATTEMPTS):
            new = files.missing(state)
            ensure_private(state)
            # Another's uninstall may have removed the lock, or the whole folder, while we waited.
            with contextlib.suppress(FileNotFoundError), _lock(state):
                return _alone(task, state, new)
    except Timeout:
        return Refusal(
            f"Another readmark has been at work on it for {LOCK_SECONDS} seconds.",
            f"Try again; if none runs, remove {state / LOCK}.",
        )
    except Unkept as error:
        return files.unkept(error)
    except OSError as error:
        return files.failed(error, target)
    return BUSY


def _hindered(task: Task, change: Change, found: Found) -> Refusal | None:
    """Return why a change cannot be made, or None; only an install into a file that was there backs it up."""
    refusal = files.unwritable(found)
    if refusal is None and task.wanted is not None and change.before is not None:
        refusal = files.no_room(found)
    return refusal


@contextlib.contextmanager
def _lock(state: Path) -> Iterator[None]:
    """Hold the lock, and remove its file at the end; raises Timeout, or FileNotFoundError where it went."""
    with FileLock(state / LOCK, timeout=LOCK_SECONDS, mode=FILE_MODE):
        (state / LOCK).stat()
        try:
            yield
        finally:
            (state / LOCK).unlink(missing_ok=True)


def _alone(task: Task, state: Path, new: Sequence[Path]) -> Change | Refusal:
    """Do the task while nobody else does; `new` are the folders that were made for the state folder."""
    outcome: Change | Refusal = BUSY
    try:
        made.remember(state, None, new)
        outcome = _locked(task, state)
    finally:
        # What is to be empty must not hold the lock.
        (state / LOCK).unlink(missing_ok=True)
        if isinstance(outcome, Change) and task.wanted is None:
            made.undo(state, outcome.target)
        elif isinstance(outcome, Refusal) and new:
            made.undo(state, None)
            files.unmake(new)
    return outcome


def _locked(task: Task, state: Path) -> Change | Refusal:
    for _ in range(ATTEMPTS):
        found = files.read(task.file)
        if isinstance(found, Refusal):
            return found
        change = _planned(task, found)
        if isinstance(change, Refusal) or not change.changes:
            return change
        refusal = _hindered(task, change, found)
        if refusal is not None:
            return refusal
        try:
            return _written(task, change, found, state)
        except Changed:
            continue
    return BUSY


def _written(task: Task, change: Change, found: Found, state: Path) -> Change:
    kept = files.backup(found)
    if task.wanted is None:
        return _taken_out(task, change, found, kept)
    backup = None if change.before is None else files.back_up(found)
    try:
        made.remember(state, found.target, files.write(found, change.after or b""))
    except BaseException:
        if backup is not None:
            files.take_back(found, kept)
        raise
    return msgspec.structs.replace(change, backup=backup)


def _taken_out(task: Task, change: Change, found: Found, kept: bytes | None) -> Change:
    """Write a file without our hooks, or remove it; a backup stays only where it says something else.

    None is made: all that it could hold beside the file are our hooks.
    """
    if change.after is None:
        files.remove(found)
    else:
        files.write(found, change.after)
    if kept is None:
        return change
    if _says_no_more(kept, task, found, change.after):
        files.drop_backup(found)
        return msgspec.structs.replace(change, dropped=True)
    return msgspec.structs.replace(change, backup=files.backup_of(found.target))


def _says_no_more(kept: bytes, task: Task, found: Found, after: bytes | None) -> bool:
    """Whether a backup holds, our hooks aside, what the file itself holds without them."""
    then = _planned(task, msgspec.structs.replace(found, data=kept))
    return isinstance(then, Change) and then.after == after


def _planned(task: Task, found: Found) -> Change | Refusal:
    """Return what the task makes of the bytes that were found."""
    mark = BOM if found.data.startswith(BOM) else b""
    try:
        text = None if found.status is None else found.data[len(mark) :].decode()
    except UnicodeDecodeError as error:
        at = place(found.data[len(mark) :][: error.start].decode(), error.start)
        return _unclear(hooks.Unclear(*at, "Here stands a byte that is no UTF-8."))
    unread = None if text is None else _unread(task, text, marked=bool(mark))
    if unread is not None:
        return _unclear(unread)
    after = _after(task, text)
    if isinstance(after, hooks.Unclear):
        return _unclear(after)
    data = None if after is None else mark + after.encode()
    if task.wanted is not None and data is not None and len(data) > files.FILE_BYTES:
        return TOO_LARGE
    before, now = _registered(text, task.host), _registered(after, task.host)
    return Change(
        task.file,
        found.target,
        None if text is None else found.data,
        data,
        {event: _fate(before.get(event), now.get(event)) for event in {**now, **before}},
        others=() if text is None else others(text, task.host),
    )


def _unread(task: Task, text: str, *, marked: bool) -> hooks.Unclear | None:
    """Return the place in its user's own text at which the host gives up, or None."""
    if task.wanted is None or task.reading is None:
        return None
    if marked and not task.reading.mark:
        return hooks.Unclear(1, 1, MARK)
    try:
        check(text, task.reading)
    except Fault as fault:
        return hooks.Unclear(*place(text, fault.at), fault.message)
    return None


def _after(task: Task, text: str | None) -> str | hooks.Unclear | None:
    if text is None:
        return None if task.wanted is None else hooks.fresh(task.wanted)
    if task.wanted is None:
        return hooks.removed(text, task.host)
    return hooks.added(text, task.host, task.wanted)


def _registered(text: str | None, host: str) -> dict[str, list[Pair]]:
    found = {} if text is None else hooks.registered(text, host)
    # What `_after` understood is understood here too.
    return {} if isinstance(found, hooks.Unclear) else found


def _fate(before: list[Pair] | None, now: list[Pair] | None) -> Fate:
    if before is None:
        return "added"
    if now is None:
        return "removed"
    if before == now:
        return "unchanged"
    return "updated" if [one[0] for one in before] == [one[0] for one in now] else "moved"


def _unclear(fault: hooks.Unclear) -> Refusal:
    return Refusal(fault.message, "Put it right.", fault.line, fault.column, by_hand=True)
