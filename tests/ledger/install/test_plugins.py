"""A plugin of ours that a host's user took in is found in the host's own copies, and told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest

from adapters.hosts import load
from adapters.registration import registration
from contracts.host import Plugin
from ledger.install.plugins import hook_files
from tests.ledger.cli.running import run

FOLDERS = {"codex": ".codex", "claude-code": ".claude"}


def form_of(host: str) -> Plugin:
    """Return how a host takes a plugin."""
    form = load(host).REGISTRATION.plugin
    assert form is not None
    return form


def switch(folder: Path, host: str, *, on: bool = True, name: str = "readmark@mine") -> None:
    """Write the host's own switch, as its real program does."""
    folder.mkdir(parents=True, exist_ok=True)
    if host == "codex":
        (folder / "config.toml").write_text(f'[plugins."{name}"]\nenabled = {str(on).lower()}\n')
    else:
        (folder / "settings.json").write_text(json.dumps({"enabledPlugins": {name: on}}))


def copy(folder: Path, host: str, version: str = "1.0", market: str = "mine") -> Path:
    """Put the plugin where the host keeps its copies."""
    file = folder / "plugins" / "cache" / market / "readmark" / version / "hooks" / "hooks.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(msgspec.json.encode(registration(load(host), None)))
    return file


@pytest.mark.parametrize("host", FOLDERS)
def test_a_plugin_that_is_switched_on_is_found(host: str, tmp_path: Path) -> None:
    """The newest copy that the host has not set aside."""
    old, new, aside = (copy(tmp_path, host, version) for version in ("1.0", "2.0", "3.0"))
    (aside.parents[1] / ".orphaned_at").touch()
    for file, at in ((old, 1), (new, 2), (aside, 3)):
        os.utime(file.parents[1], (at, at))
    assert hook_files(tmp_path, form_of(host)) == []
    switch(tmp_path, host)
    assert hook_files(tmp_path, form_of(host)) == [new]
    switch(tmp_path, host, on=False)
    assert hook_files(tmp_path, form_of(host)) == []


@pytest.mark.parametrize("name", ["other@mine", "readmark", "readmark@", "readmark@../mine", "readmark@.."])
def test_another_plugin_is_not_ours(name: str, tmp_path: Path) -> None:
    """And no name leads out of the host's folder."""
    copy(tmp_path, "codex")
    switch(tmp_path, "codex", name=name)
    assert hook_files(tmp_path, form_of("codex")) == []


def test_a_copy_that_is_gone_is_none(tmp_path: Path) -> None:
    """The folder, or all that was in it."""
    switch(tmp_path, "codex")
    assert hook_files(tmp_path, form_of("codex")) == []
    (tmp_path / "plugins" / "cache" / "mine" / "readmark").mkdir(parents=True)
    assert hook_files(tmp_path, form_of("codex")) == []


@pytest.mark.parametrize("text", ["", "[", "[]", '{"enabledPlugins": []}', "\udcff", '{"plugins": 1}'])
@pytest.mark.parametrize("host", FOLDERS)
def test_a_switch_that_cannot_be_read_is_off(host: str, text: str, tmp_path: Path) -> None:
    """Nothing is made of it, and nothing raised."""
    copy(tmp_path, host)
    file = tmp_path / form_of(host).switch_file
    file.write_bytes(text.encode(errors="surrogateescape"))
    assert hook_files(tmp_path, form_of(host)) == []
    file.unlink()
    file.mkdir()
    assert hook_files(tmp_path, form_of(host)) == []


@pytest.mark.parametrize("host", FOLDERS)
def test_status_and_install_tell_of_it_and_uninstall_leaves_it(
    host: str, private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of both is enough, and who took it in takes it out."""
    monkeypatch.setattr("ledger.cli.install.program", lambda: "/opt/readmark")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    folder = private_home / FOLDERS[host]
    file = copy(folder, host)
    switch(folder, host)
    before = file.read_bytes()
    told = run("status", "--json").json["hosts"]
    [place] = next(one for one in told if one["host"] == host)["installed"]
    assert (place["how"], place["file"]) == ("plugin", str(file))
    assert "as a plugin, too" in " ".join(run("install", host).text.split())
    run("uninstall", host)
    assert file.read_bytes() == before
    assert hook_files(folder, form_of(host)) == [file]
