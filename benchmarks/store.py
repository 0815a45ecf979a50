"""How far the ledger is from the bare SQL, and what each journal mode costs: `python benchmarks/store.py`.

Ledger and bare SQL take turns in one run, so that a busy machine slows both; what is printed is the median
of the times, and the median and the middle half of the ratios pair by pair.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import apsw
import msgspec

from contracts.conversation import Conversation
from contracts.limits import Limits
from contracts.read import Read, Source
from ledger.calls import Ledger
from ledger.rows.conversations import FIND
from ledger.rows.held import CANDIDATES, FORGET_TOLD, NEXT_TOLD, PUT, TAKE, TELL
from ledger.rules import TOLD
from ledger.transaction import Transaction
from ledger.uncertain import digest_of

NOW = 1_800_000_000_000
ITEMS = 64


def read(number: int) -> Read:
    """Return a read of usual size."""
    sources = (Source("pack", "practices/one.md"), Source("pack", "practices/two.md"))
    return Read(
        "lore", "scope", f"item-{number}", "sha256:" + "a" * 64, f"Title {number}", "w" * 300, sources
    )


def conversation(number: int) -> Conversation:
    """Return one of many conversations."""
    return Conversation("codex", f"{number:036d}")


class Bare:
    """The same file and statements, with nothing around them."""

    def __init__(self, file: Path, journal: str) -> None:
        """Open the file that a ledger has laid down."""
        self.db = apsw.Connection(str(file))
        self.db.execute(f"PRAGMA journal_mode = {journal}; PRAGMA secure_delete = ON").fetchall()
        self.ordinal = 10**6

    def record(self, of: Conversation, one: Read) -> None:
        """Put one candidate."""
        self.ordinal += 1
        self.db.execute("BEGIN IMMEDIATE")
        row = self.db.execute(FIND, (digest_of(of),)).get
        self.db.execute(TAKE, (row[0], one.store_scope, one.item_id)).fetchall()
        values = (row[0], one.store_scope, one.item_id, self.ordinal, 500, NOW, one.reader)
        self.db.execute(PUT, (*values, one.content_digest, one.title, one.applies_when, "[]", None, None))
        self.db.execute("UPDATE conversation SET next_ordinal = next_ordinal + 1 WHERE id = ?", (row[0],))
        self.db.execute("COMMIT")

    def tell(self, of: Conversation, items: str) -> None:
        """Put what one subagent was told in the place of the oldest."""
        self.db.execute("BEGIN IMMEDIATE")
        row = self.db.execute(FIND, (digest_of(of),)).get
        number = self.db.execute(NEXT_TOLD, (row[0],)).get
        self.db.execute(FORGET_TOLD, (row[0], number - TOLD))
        self.db.execute(TELL, (row[0], number, NOW, items, 0))
        self.db.execute("UPDATE conversation SET last_active_at = ? WHERE id = ?", (NOW, row[0]))
        self.db.execute("COMMIT")

    def list(self, of: Conversation) -> int:
        """Fetch all candidates of a conversation."""
        row = self.db.execute(FIND, (digest_of(of),)).get
        return len(self.db.execute(CANDIDATES, (row[0], 4096, ITEMS)).fetchall())


def timed(work: Callable[[], object]) -> float:
    """Return milliseconds."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def compared(name: str, rounds: int, ours: Callable[[int], object], bare: Callable[[int], object]) -> None:
    """Let both take turns and print one line."""
    pairs = [(timed(partial(ours, n)), timed(partial(bare, n))) for n in range(rounds)]
    ratios = sorted(one / other for one, other in pairs)
    low, middle, high = statistics.quantiles(ratios, n=4)
    first, second = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"{name:<34} {first:8.3f} ms {second:8.3f} ms   x {middle:5.2f}  ({low:.2f} to {high:.2f})")


def laid_down(folder: Path, conversations: int) -> Ledger:
    """Return a ledger with so many full conversations."""
    ledger = Ledger(folder, Limits(), lambda: NOW)

    def fill(db: apsw.Connection) -> None:
        transaction = Transaction(db, ledger.limits, NOW)
        for number in range(conversations):
            for item in range(ITEMS):
                transaction.record(conversation(number), read(item), f"event-{item:036d}")

    ledger._store.write(fill)  # noqa: SLF001 - one transaction for all, as nothing here is measured
    return ledger


def journals(rounds: int) -> None:
    """Print what open, one record and close cost in each mode, as a hook does them; synchronous is FULL."""
    for journal in ("DELETE", "TRUNCATE", "WAL"):
        with tempfile.TemporaryDirectory() as home:
            folder = Path(home, "state")
            laid_down(folder, 1).close()
            times = []
            for number in range(rounds):

                def hook(number: int = number, journal: str = journal, folder: Path = folder) -> None:
                    bare = Bare(folder / "ledger.db", journal)
                    bare.record(conversation(0), read(number % ITEMS))
                    bare.db.close()

                times.append(timed(hook))
            low, middle, high = statistics.quantiles(times, n=4)
            print(f"open, record, close: {journal:<13} {middle:8.3f} ms  ({low:.3f} to {high:.3f})")


def main(rounds: int) -> None:
    """Print all comparisons."""
    print(f"{'':<34} {'ledger':>11} {'bare SQL':>11}   ratio, middle half")
    for name, conversations in (("one conversation", 1), ("512 conversations", 512)):
        with tempfile.TemporaryDirectory() as home:
            ledger = laid_down(Path(home, "state"), conversations)
            bare = Bare(Path(home, "state", "ledger.db"), "DELETE")
            compared(
                f"record, {name}",
                rounds,
                lambda n: ledger.record(conversation(n % conversations), read(n % ITEMS), f"r{n}"),  # noqa: B023
                lambda n: bare.record(conversation(n % conversations), read(n % ITEMS)),  # noqa: B023
            )
            compared(
                f"list, {name}",
                rounds,
                lambda n: ledger.list("codex", conversation(n % conversations).reference),  # noqa: B023
                lambda n: bare.list(conversation(n % conversations)),  # noqa: B023
            )
            items = [f"item-{number}" for number in range(8)]
            shown = msgspec.json.encode(items).decode()
            compared(
                f"tell, {name}",
                rounds,
                lambda n: ledger.tell(conversation(n % conversations), 1, items, 0),  # noqa: B023
                lambda n: bare.tell(conversation(n % conversations), shown),  # noqa: B023
            )
            compared(
                f"list with told, {name}",
                rounds,
                lambda _: ledger.list("codex", conversation(0).reference),  # noqa: B023
                lambda _: bare.list(conversation(0)),  # noqa: B023
            )
            ledger.close()
            bare.db.close()
    journals(rounds)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
