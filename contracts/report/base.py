"""The forms that reports have in common, and those of a verb that did nothing."""

import msgspec


class Report(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What all reports share: frozen, camelCase on the wire, and nothing beyond what is written here."""


class Part(Report, frozen=True, omit_defaults=True):
    """A report in which what is not known is left out."""


class Explained(Part, frozen=True):
    """Why something did not happen: a reason of `contracts.reasons`, its meaning, and what to do about it.

    `detail` holds numbers and names of our own.
    """

    reason: str
    meaning: str
    remedy: str
    detail: str = ""


class Refused(Explained, frozen=True, tag="skipped", tag_field="state"):
    """The verb did nothing, for a reason of `contracts.reasons.REFUSALS`."""


class Failed(Part, frozen=True, tag="unavailable", tag_field="state"):
    """The ledger cannot answer, for a reason of `contracts.reasons.UNAVAILABLE`. Never the same as empty."""

    reason: str
    detail: str = ""
