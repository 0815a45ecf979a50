-- A ledger of schema 2 with what it held: that of schema 1, brought up and written to by the readmark of then.
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
    sources TEXT NOT NULL, file TEXT,              -- JSON: a list of contracts.read.Source
    UNIQUE (conversation, store_scope, item_id)
) STRICT;
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
CREATE TABLE told (
    conversation INTEGER NOT NULL,      -- conversation.id
    number INTEGER NOT NULL,            -- counts up within a life; newest is highest, the oldest go
    told_at INTEGER NOT NULL,           -- milliseconds since the epoch; orders nothing
    items TEXT NOT NULL,                -- JSON: a list of item ids, as the briefing showed them
    left_out INTEGER NOT NULL,          -- how many candidates the briefing had no room for
    PRIMARY KEY (conversation, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "candidate" VALUES(1,'scope','a',1,132,1800000000000,'lore','sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','It''s an élève 😀','when it applies','[{"pack":"pack","path":"a.md"},{"pack":"pack","path":"b.md"}]',NULL);
INSERT INTO "candidate" VALUES(1,'scope','b',2,117,1800000000000,'lore','sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','Title','when it applies','[{"pack":"pack","path":"a.md"},{"pack":"pack","path":"b.md"}]',NULL);
INSERT INTO "candidate" VALUES(2,'other','a',1,117,1800000000000,'lore','sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','Title','when it applies','[{"pack":"pack","path":"a.md"},{"pack":"pack","path":"b.md"}]',NULL);
INSERT INTO "candidate" VALUES(1,'scope','d',3,144,1800000000000,'lore','sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','Title','when it applies','[{"pack":"pack","path":"a.md"},{"pack":"pack","path":"b.md"}]','{"root":"/home/dev/project","path":"docs/é.md","size":1234,"mtime_ns":1799999999123456789}');
INSERT INTO "conversation" VALUES(1,X'C9C949DC0FF4455ED289E8DD6E370F980C55B3FDEA37F27BA0B984C749F48754','codex','019a-here',1,0,4,6,10,1800000000000);
INSERT INTO "conversation" VALUES(2,X'4A70D67BAB71DA1BDEC518791E4FBF032A18D13A466CE4B3AA3A90825C9D19D7','claude-code','019a-there',1,0,2,1,5,1800000000000);
INSERT INTO "conversation" VALUES(3,X'33E60654CDD8F76C7D4EE2636C50861E3B64A07521072AE9C39D937F7BE7DAFD','codex','019a-cleared',1,1,2,2,7,1800000000000);
INSERT INTO "migration" VALUES('lay-down',1800000000000);
INSERT INTO "migration" VALUES('tell',1800000000000);
INSERT INTO "pending" VALUES(1,3,1800000000000,'e3','0000000000000000000000000000000000000000000000000000000000000000','/transcript.jsonl',7,'{"reader":"lore","store_scope":"scope","item_id":"c","content_digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","title":"Title","applies_when":"when it applies","sources":[{"pack":"pack","path":"a.md"},{"pack":"pack","path":"b.md"}]}');
INSERT INTO "pending" VALUES(1,5,1800000000000,'e5','0000000000000000000000000000000000000000000000000000000000000000','/transcript.jsonl',7,'{"reader":"lore","store_scope":"scope","item_id":"f","content_digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","title":"A \"quoted\", [listed] 道","applies_when":"when it applies","sources":[{"pack":"pack","path":"a.md"},{"pack":"pack","path":"b.md"}],"file":{"root":"/home/dev/project","path":"docs/é.md","size":1234,"mtime_ns":1799999999123456789}}');
INSERT INTO "seen" VALUES(1,X'43700797E2F9D4AD38CCF1355DF3233453396BFCC8DB8E424486E37BAE42A9EC',5);
INSERT INTO "seen" VALUES(1,X'449777124B1466A8ED667D0DD4C0620993F59E20FB27B3FA8894E957F8762353',4);
INSERT INTO "seen" VALUES(1,X'8B5CC4DF7EEC7D32A7814ECA4AF047AE33B2D52342667715682E19C25B0B9FAA',1);
INSERT INTO "seen" VALUES(1,X'AC0F09C0F8BF5E7A4B063D863255F16D8CE9ABE600E288D934CF313BCBFF63EB',2);
INSERT INTO "seen" VALUES(1,X'CEF7FC13A38180936FFA2635489088778E059F07A5D1BEDA53F1719D35577631',3);
INSERT INTO "seen" VALUES(3,X'449777124B1466A8ED667D0DD4C0620993F59E20FB27B3FA8894E957F8762353',1);
INSERT INTO "told" VALUES(1,1,1800000000000,'["b","a"]',1);
PRAGMA application_id = 1382305131;
PRAGMA user_version = 2;
