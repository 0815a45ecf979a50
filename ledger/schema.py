"""The ledger's tables, and the named steps that lead to them.

History of the schema, one line a version (`PRAGMA user_version`):
1  "lay-down": conversations, candidates, pending reads, remembered events.
2  "tell": what subagents were told, and the file that a candidate was read from.
3  "lines": which lines of its file a candidate holds, and several reads of one event.

A write brings an older file up, in the very transaction in which it does its own work. A read does not:
it must work where nothing may be written, so it looks at an older file as one in which nothing of the
later steps ever happened.

The journal is SQLite's own default, a rollback journal that is deleted at each commit. Open, one record
and close, as a hook does it, cost on ext4 (median of 150, SQLite 3.54, `benchmarks/store.py`): DELETE
1.8 ms, TRUNCATE 1.6 ms, WAL 2.0 ms; within one process WAL would win (0.3 ms against 1.2 ms), but
nothing there writes often. A WAL file cannot be read in a folder that may not be written, and it breaks
on network file systems; a rollback journal does neither, and DELETE leaves nothing lying about.
`synchronous` stays at its default, FULL: OFF would save 1.2 ms of a call of 80 ms, and could cost the
file at a power cut. In the same run a record through the ledger took 1.4 times, a list of 64 candidates
2.5 to 2.9 times the bare SQL, in a ledger of one conversation and of 512 alike; with what 32 subagents were
told beside them the same list took 2.8 to 3.1 times as long, and to keep what one was told 1.2 to 1.4 times.
"""

import msgspec

APPLICATION_ID = 0x52_64_4D_6B
"""What the file says it is: "RdMk" (`PRAGMA application_id`)."""


class Migration(msgspec.Struct, frozen=True):
    """One named step, done in the same transaction as its record; `tables` are all that stand after it."""

    name: str
    sql: str
    tables: frozenset[str]


LAY_DOWN = """
CREATE TABLE migration (
    name TEXT PRIMARY KEY,              -- a step of this module
    applied_at INTEGER NOT NULL         -- milliseconds since the epoch
) STRICT;

CREATE TABLE conversation (
    id INTEGER PRIMARY KEY,             -- ours, for the other tables
    digest BLOB NOT NULL UNIQUE,        -- SHA-256 of host and reference: the key
    host TEXT,                          -- NULL with `reference` where only the digest is known:
    reference TEXT,                     --   a clear that came before its conversation was known
    incarnation INTEGER NOT NULL,       -- which life; the first is 1
    cleared INTEGER NOT NULL,           -- 1: a clear ended this life, only a resume opens another
    next_ordinal INTEGER NOT NULL,      -- never set back, so an ordinal is never used twice
    next_event INTEGER NOT NULL,        -- number of the next remembered event
    activity INTEGER NOT NULL UNIQUE,   -- order of writes across conversations: the order of eviction
    last_active_at INTEGER NOT NULL     -- milliseconds since the epoch; decides on idling, orders nothing
) STRICT;
CREATE INDEX conversation_by_age ON conversation (last_active_at);

CREATE TABLE candidate (
    conversation INTEGER NOT NULL,      -- conversation.id
    store_scope TEXT NOT NULL,          -- with `item_id`: at most one candidate an item
    item_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,           -- newest is highest
    bytes INTEGER NOT NULL,             -- size of the metadata in bytes of UTF-8, as it was counted in Python
    recorded_at INTEGER NOT NULL,       -- milliseconds since the epoch; orders nothing
    reader TEXT NOT NULL,
    content_digest TEXT NOT NULL,
    title TEXT NOT NULL,
    applies_when TEXT NOT NULL,
    sources TEXT NOT NULL,              -- JSON: a list of contracts.read.Source
    UNIQUE (conversation, store_scope, item_id)
) STRICT;
-- `bytes` rides along so that bounds are kept without a look at the rows themselves.
CREATE UNIQUE INDEX candidate_by_ordinal ON candidate (conversation, ordinal, item_id, bytes);

CREATE TABLE pending (
    conversation INTEGER NOT NULL,      -- conversation.id
    number INTEGER NOT NULL,            -- seen.number of its event: the order of noting
    noted_at INTEGER NOT NULL,          -- milliseconds since the epoch; decides on expiry
    event_id TEXT NOT NULL,             -- the host's id of the call
    result_digest TEXT NOT NULL,        -- SHA-256 of the result's text, which itself is not kept
    locator_path TEXT,                  -- the host's transcript, or NULL with `locator_offset`
    locator_offset INTEGER,             -- bytes
    read TEXT NOT NULL,                 -- JSON: a contracts.read.Read
    UNIQUE (conversation, number)
) STRICT;

CREATE TABLE seen (
    conversation INTEGER NOT NULL,      -- conversation.id
    digest BLOB NOT NULL,               -- SHA-256 of the id of a host's event, which must not count twice
    number INTEGER NOT NULL,            -- counts up within the conversation; the oldest are forgotten
    PRIMARY KEY (conversation, digest),
    UNIQUE (conversation, number)
) STRICT, WITHOUT ROWID;
"""

TELL = """
CREATE TABLE told (
    conversation INTEGER NOT NULL,      -- conversation.id
    number INTEGER NOT NULL,            -- counts up within a life; newest is highest, the oldest go
    told_at INTEGER NOT NULL,           -- milliseconds since the epoch; orders nothing
    items TEXT NOT NULL,                -- JSON: a list of item ids, as the briefing showed them
    left_out INTEGER NOT NULL,          -- how many candidates the briefing had no room for
    PRIMARY KEY (conversation, number)
) STRICT, WITHOUT ROWID;

ALTER TABLE candidate ADD COLUMN file TEXT; -- JSON: a contracts.read.File, or NULL where there is none
"""

LINES = """
ALTER TABLE candidate ADD COLUMN lines TEXT; -- JSON: a contracts.lines.Lines, or NULL where all were shown

ALTER TABLE pending RENAME COLUMN read TO reads; -- from here on a list of contracts.read.Read
UPDATE pending SET reads = '[' || reads || ']';
"""

_FIRST = frozenset({"migration", "conversation", "candidate", "pending", "seen"})

MIGRATIONS: tuple[Migration, ...] = (
    Migration("lay-down", LAY_DOWN, _FIRST),
    Migration("tell", TELL, _FIRST | {"told"}),
    Migration("lines", LINES, _FIRST | {"told"}),
)
"""All steps, oldest first; a file of schema N has had the first N of them."""
