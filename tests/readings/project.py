"""A project of documents as teams write them: much in them is alike, and some of it is the same."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

PARTS = (
    *("intake", "label printing", "route planning", "sorting", "hub transfer", "customs", "last mile"),
    *("proof of delivery", "returns", "address checks", "invoicing", "partner feeds", "tracking pages"),
    *("notifications", "claims", "locker network", "fleet telemetry", "weight audit", "pickup windows"),
    *("rate tables", "carrier contracts", "capacity forecast", "cold chain", "dangerous goods"),
    *("signature capture", "holiday calendar", "service points", "depot layout", "driver app", "archive"),
)
OWNERS = ("Platform", "Hubs", "Field tools", "Partners", "Billing")
STORES = ("the event log", "the parcel table", "an outbox", "the hub cache", "a daily snapshot")
RISKS = (
    "two writers race for one row",
    "the clock of a scanner is wrong",
    "a partner sends the same file twice",
    "a message arrives before the one it answers",
    "a depot loses its line for an hour",
    "an operator undoes a step by hand",
    "the same parcel is scanned in two hubs",
)
CHECKS = (
    "the count of open parcels is the same before and after",
    "no job is older than fifteen minutes",
    "every retry carries the first request's key",
    "the dead letter queue is empty",
    "the dashboard shows both regions",
    "the last export has as many rows as the source",
)
ASK = "> Ask in #parcel-ops before you change anything here in working hours."

LICENCE = """\
## Licence

Permission is granted, free of charge, to any partner of the network who obtains a copy of this document,
to use, copy and share it, subject to these conditions:

1. The notice above and this permission stand in every copy and in every substantial part of one.
2. A changed copy says in its first paragraph that it was changed, by whom and when.
3. The names of the network and of its partners are not used to endorse a changed copy.

The document is provided as it is, without warranty of any kind, express or implied. In no event are its
authors liable for a claim, for damages or for other liability that arises from its use.
"""


def _section(number: int, part: str) -> Iterator[str]:
    """Yield one section of a runbook, in one of four shapes."""
    owner, store = OWNERS[number % len(OWNERS)], STORES[number % len(STORES)]
    risk, other = RISKS[number % len(RISKS)], RISKS[(number + 3) % len(RISKS)]
    check, then = CHECKS[number % len(CHECKS)], CHECKS[(number + 2) % len(CHECKS)]
    name = part.replace(" ", "-")
    yield f"## {number}. {part.capitalize()}"
    yield ""
    yield f"{owner} owns {part}. State lives in {store}; nothing else may write there."
    if number % 4 != 1:
        yield ASK
    yield ""
    if number % 4 == 0:
        yield "```sh"
        yield f"parcelctl status {name} --region eu"
        yield f"parcelctl drain {name} --wait 300"
        yield "```"
    elif number % 4 == 1:
        yield "| field | type | meaning |"
        yield "|---|---|---|"
        yield f"| `{name}_id` | uuid | set once, by the first step of {part} |"
        yield "| `created_at` | timestamp | UTC, with milliseconds |"
        yield "| `attempt` | int | rises by one with each retry |"
    elif number % 4 == 2:
        yield f"1. Stop the workers of {part}."
        yield f"2. Wait until {check}."
        yield "3. Start one worker and watch its log."
        yield f"4. Start the others when {then}."
    else:
        yield f"- It breaks when {risk}."
        yield f"- It also breaks when {other}; then page {owner}."
        yield "- It does not break when the tracking pages are slow."
    yield ""
    yield f"Done when {check}."
    if number % 3 == 0:
        yield ""
        yield "### Roll back"
        yield ""
        yield f"Switch the flag `{name}.v2` off, then replay the last hour from {store}."
        yield "A replay is safe to run twice."
    yield ""


def _runbook(title: str, lines: int, first: int = 0) -> str:
    """Return a runbook of exactly so many lines, of which the last one says something."""
    about = f"How the {title.lower()} is run, part by part. Read the part before you touch it."
    written = [f"# {title}", "", about, ""]
    for number, part in enumerate(cycle(PARTS[first:] + PARTS[:first]), 1):
        written += _section(number, part if number <= len(PARTS) else f"{part} in the north")
        if len(written) >= lines:
            break
    written = written[:lines]
    if not written[-1]:
        written[-1] = "That is all there is to know about it."
    return "\n".join(written) + "\n"


def _decision(number: int, title: str, about: str, choice: str, costs: list[str]) -> str:
    head = f"# {number}. {title}\n\n## Status\n\nAccepted.\n\n## Context\n\n{about}\n"
    return f"{head}\n## Decision\n\n{choice}\n\n## Consequences\n\n" + "".join(
        f"- {cost}\n" for cost in costs
    )


STORE = _decision(
    1,
    "Keep events in one table",
    "Each team kept its own copy of a parcel's history, and the copies disagreed after every outage.\n"
    "Support could not tell a customer where a parcel was without three dashboards.",
    "All events of a parcel go into one append-only table. A team may derive what it likes from it,\n"
    "and keeps no other source of truth.",
    [
        "An event is never changed; a correction is an event of its own.",
        "The table is partitioned by week, so old weeks can be archived.",
        "Readers must cope with events that they do not know.",
        "A replay of one week takes about forty minutes.",
    ],
)
HOOKS = _decision(
    2,
    "Call partners by web hooks",
    "Partners polled us every minute, which cost more than all other traffic together.",
    "We call a partner's URL when a parcel changes, sign each call, and retry for a day.",
    ["Partners need a public endpoint.", "A call may come twice; it carries the event's id."],
)
SCOPE = _decision(
    3,
    "Leave routing to the hubs",
    "A central planner was tried for two quarters. It was always an hour behind the hubs, and every hub\n"
    "overruled it by hand. The plan on paper and the plan on the floor were two plans.",
    "Each hub plans its own routes from the shared forecast. The centre publishes the forecast and\n"
    "the limits, and nothing more.",
    [
        "Hubs differ; a driver who changes hubs learns new habits.",
        "The forecast must be ready by four in the morning.",
        "We measure hubs by late parcels and not by plan adherence.",
        "A hub without a planner borrows one from its neighbour.",
        "The old planner's code is deleted, not kept for later.",
        "This is looked at again when there are more than twelve hubs.",
        "Nobody routes a parcel by its price.",
    ],
)

AGENTS = """\
# Working in this repository

Parcels are tracked by a dozen small services. This file says what holds in all of them.

## Before you start

- Read `docs/guide.md`; it is short enough.
- Run `make check` once, so that you know what is broken before you break something.
- Ask for a decision record when you are about to choose between two libraries.

## Code

- Python 3.12, typed. No new dependency without a line in the decision log.
- One module, one noun. A module of more than 300 lines wants to be two.
- Errors are values at the edges and exceptions inside.
- No feature flag lives longer than a month.

```python
def settle(parcel: Parcel, event: Event) -> Parcel:
    if event.at < parcel.seen_at:
        return parcel
    return replace(parcel, state=event.state, seen_at=event.at)
```

## Tests

- A test names a behaviour, not a function.
- Use the real database; it starts in two seconds.
- Never sleep. Wait for a condition.

| suite | when | how long |
|---|---|---|
| unit | on each save | 4 s |
| service | before a push | 50 s |
| nightly | at night | 40 min |

## Commits

- Imperative subject, blank line, reason.
- One change a commit. A rename is a change.
- Never commit a partner's data, not even in a test.

## Reviews

- Two people for anything that writes to the event log.
- Reviewers run the change; reading alone does not count.
- Say what you did not look at.

## When it burns

1. Stop the workers that make it worse.
2. Say so in #parcel-ops.
3. Then look for the cause.

The person on call decides. Nobody is blamed for stopping too much.
"""

README = """\
# Parcels

Tracks a parcel from the first scan to the signature.

## Install

```sh
make setup
make check
```

## Documents

- `docs/guide.md`: how the services are run, the short form
- `docs/long.md`: the same with every part
- `docs/adr/`: why it is as it is

## Contributing

See `AGENTS.md`. Pull requests need two reviews and a green build.

## Licence

Internal. See the documents for partners for what may be shared.
"""

CHINESE = """\
# 包裹追踪说明

本文说明包裹从揽收到签收的全部流程，供各站点的同事查阅。

## 揽收

1. 扫描面单，确认重量与尺寸。
2. 如地址不完整，先联系寄件人，再入库。
3. 同一面单扫描两次时，以第一次为准。

## 中转

- 每个中转站自行安排路线，总部只发布预测与上限。
- 断网超过一小时，请改用纸质清单，恢复后补录。

## 签收

收件人签字后状态改为“已签收”，之后的任何更正都是新的事件，
不得修改原有记录。如有争议，请保留照片三十天。
"""

TINY = {
    "docs/tiny/one.md": "Releases go out on Tuesdays before ten, and never in the first week of December.\n",
    "docs/tiny/two.md": "# Names\n\nCall a parcel a parcel: not a package, not an item, not a shipment.\n",
    "docs/tiny/three.md": "# Time\n\nAll times are UTC.\nShow them in the depot's zone.\n",
    "docs/tiny/five.md": (
        "# Money\n\n- Amounts are integers, in cents.\n- Rounding happens once, on the invoice.\n"
        "- A currency is three letters.\n"
    ),
}

BLOCK = (
    "### Shift handover\n\n- Count the open cages.\n- Hand over the scanner keys.\n"
    "- Write down what is late and why.\n- Sign the sheet, both of you.\n\n"
)
REPEATED = (
    "# Handover by depot\n\n"
    + "".join(
        f"## Depot {name}\n\n{BLOCK}" for name in ("Bergen", "Ghent", "Graz", "Porto", "Turku", "Zadar")
    )
    + "The sheets are kept for one year.\n"
)

SHORT = (
    "# Short\n\nUse one queue for each depot.\n\n- Keep it small.\n- Keep it plain.\n- Drain it at night.\n"
)

PARAGRAPH = (
    "A parcel that was scanned twice in {0} keeps its first weight, because the second scale is the one "
    "that stands on the uneven floor, and because the invoice was written from the first; whoever finds a "
    "difference of more than fifty grams writes it into the weight audit, names both scales, and leaves the "
    "parcel alone. "
)
WIDE = (
    "# Weights\n\n"
    + "\n\n".join(PARAGRAPH.format(name) * 9 for name in ("Bergen", "Ghent", "Graz", "Porto", "Turku"))
    + "\n"
)

BLANKS = (
    "\n\n# Quiet hours\n\nNo notification leaves between ten at night and seven in the morning.\n\n\n"
    "## Exceptions\n\n- A locker that is about to close.\n- A parcel that needs a signature today.\n\n"
    "\n\nThe customer's zone counts, not ours.\n\n\n"
)

OPEN = (
    "# Scanners\n\nEvery scanner has a name, a depot and an owner.\n\n- Charge it over night.\n"
    "- Update it on Sundays.\n- Report a broken one before the shift, not after it."
)
ALSO_OPEN = (
    "# Cages\n\nA cage holds up to eighty parcels.\n\n- Close it before it is moved.\n"
    "- Never stack two of them.\n- A cage without a label is returned to where it came from."
)

RELEASE = f"""\
---
name: release
description: Cut a release of the parcel services and watch it go out.
---

# Release

Use this when the user asks for a release, a hotfix or a rollback.

## Steps

1. Check that the build of the main branch is green.
2. Write the change log from the merged pull requests.
3. Tag with the date, and push the tag.
4. Watch the first depot for fifteen minutes.

{"".join(line + chr(10) for line in islice(_section(7, "release notes"), 20))}
{"".join(line + chr(10) for line in islice(_section(10, "canary depots"), 20))}
{"".join(line + chr(10) for line in islice(_section(12, "hotfixes"), 20))}
## Never

- Never release on a Friday.
- Never release two services at once.
- Never skip the first depot.
"""
REVIEW = """\
---
name: review
description: Review a change of the parcel services as the team does it.
---

# Review

Run the change before you read it.

## What to look for

- Writes to the event log that are not appended.
- A retry without the first request's key.
- Times without a zone.
- Amounts that are not integers.

## How to say it

1. Say what is wrong, and where.
2. Say how you found it.
3. Say what you did not look at.

Approve when you would be glad to be called about it at night.
"""
TRIAGE = (
    REVIEW.replace("review", "triage")
    .replace("Review a change", "Sort the alerts")
    .replace("# Review", "# Triage")
    .replace("Run the change before you read it.", "Look at the oldest alert first.")
)

DOCUMENTS: dict[str, str] = {
    "AGENTS.md": AGENTS,
    "README.md": README,
    "docs/guide.md": _runbook("Guide", 180, 4),
    "docs/long.md": _runbook("Long guide", 480),
    "docs/large.md": _runbook("Large guide", 1400, 9),
    "docs/short.md": SHORT,
    "docs/adr/0001-store.md": STORE,
    "docs/adr/0002-hooks.md": HOOKS,
    "docs/adr/0003-scope.md": SCOPE,
    "docs/中文 说明.md": CHINESE,
    "docs/partners/feeds.md": _runbook("Partner feeds", 44, 11) + "\n" + LICENCE,
    "docs/partners/labels.md": _runbook("Partner labels", 36, 21) + "\n" + LICENCE,
    "docs/quotes.md": (
        "# Where the hooks come from\n\nThis is the decision as it was accepted:\n\n"
        + HOOKS
        + "\nIt was questioned twice since, and both times it was kept as it is.\n"
    ),
    "docs/windows.md": _runbook("Desktop client", 70, 15).replace("\n", "\r\n"),
    "docs/marked.md": "\ufeff" + _runbook("Marked guide", 66, 18),
    "docs/open.md": OPEN,
    "docs/also-open.md": ALSO_OPEN,
    "docs/blanks.md": BLANKS,
    "docs/repeated.md": REPEATED,
    "docs/wide.md": WIDE,
    **TINY,
    "packages/core/README.md": "# Core\n\n" + _runbook("Core", 40, 6),
    "packages/web/README.md": "# Web\n\n" + _runbook("Web", 40, 13),
    ".claude/skills/release/SKILL.md": RELEASE,
    ".agents/skills/release/SKILL.md": RELEASE,
    ".agents/skills/review/SKILL.md": REVIEW,
}
OTHERS: dict[str, str] = {
    ".readmark.toml": 'documents = ["**/*.md"]\n',
    "package.json": '{\n  "name": "parcels",\n  "private": true,\n  "scripts": {"check": "make check"}\n}\n',
    "src/settle.py": "def settle(parcel, event):\n    return parcel\n",
    "Makefile": "check:\n\t@echo all good\n",
}
LINKS = {".claude/skills/review": "../../.agents/skills/review"}
HOME = {".agents/skills/triage/SKILL.md": TRIAGE}
HOME_LINKS = {".claude/skills/triage": "../../.agents/skills/triage"}


def lines(path: str) -> int:
    """Return how many lines a document has."""
    return len(DOCUMENTS[path].removesuffix("\n").split("\n"))


def lay(folder: Path, files: dict[str, str], links: dict[str, str]) -> None:
    """Write files, and links to folders, below a folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    for name, target in links.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(target)


def make(folder: Path) -> None:
    """Make the project, as a Git repository of one commit."""
    lay(folder, {**DOCUMENTS, **OTHERS}, LINKS)
    git = ("git", "-c", "user.name=Someone", "-c", "user.email=someone@example.com")
    for words in (
        ("init", "-q", "--template="),
        ("add", "-A"),
        ("commit", "-q", "-m", "Begin"),
        ("gc", "-q"),
    ):
        subprocess.run([*git, *words], cwd=folder, check=True, env=dict(os.environ))
