"""How strictly a host reads the file from which it takes hooks, where a fault in it costs them all."""

from collections.abc import Mapping

import msgspec


class Form(msgspec.Struct, frozen=True):
    """What may stand at one place of a JSON document.

    `kinds` are types of JSON as in `contracts.shape`; none named means that all may stand there. `whole`
    wants whole numbers from 0 below 2**64. Of an object, `members` says what may stand under a name, `closed`
    that there may be no other names, `needs` which must be there, `single` that a known name stands there
    once; else the last one counts. `variants` are further forms of an object, by the text of its member
    `tag`, which `needs` names. `items` is what each element of an array must be.
    """

    kinds: tuple[str, ...] = ()
    whole: bool = False
    members: Mapping[str, "Form"] = {}
    closed: bool = False
    needs: tuple[str, ...] = ()
    single: bool = False
    tag: str = ""
    variants: Mapping[str, "Form"] = {}
    items: "Form | None" = None


class Reading(msgspec.Struct, frozen=True):
    """A host's way to read its file as plain JSON; where the file is otherwise, it runs no hook of it.

    `mark` says that a byte order mark may come first, `halves` that a text may hold half of a surrogate pair.
    """

    form: Form
    mark: bool = False
    halves: bool = False


class OffSwitch(msgspec.Struct, frozen=True):
    """A member of a host's settings by which a person switches all hooks off.

    True under `key` switches them off, and the first file that says true or false decides: the one of the
    machine's administrator, `managed` by `sys.platform`; in a project `local`, then the file for hooks; then
    that file of the user. True under `managed_key` in the administrator's file leaves only the hooks there.
    """

    key: str
    local: str
    managed: Mapping[str, str]
    managed_key: str
