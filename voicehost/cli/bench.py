"""``voicehost bench``: how fast this machine is at what a game needs."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from voicehost.rules.switches import CHOICES

ROUNDS = 5
"""How often a figure is taken; the median counts."""


@click.command(name="bench")
@click.option("--json", "as_json", is_flag=True, help="Один объект JSON.")
@click.option("--language", type=click.Choice(CHOICES["language"]), default="ru", help="Язык. [ru]")
@click.option("--voice", is_flag=True, help="И голос: сколько длится подготовка фразы.")
@click.option(
    "--recordings",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Записи команд, как для evaluate. [говорит установленный голос]",
)
def command(as_json: bool, language: str, voice: bool, recordings: Path | None) -> int:
    """Измерить скорость: судья, разбор фраз, журнал, распознавание, голос."""
    from voicehost.cli.hearing_bench import decision_figures

    figures = {
        "commands_per_second": _referee(),
        "parses_per_second": _parser(language),
        "expectation_ms": _expectation(language),
        "journal_append_ms": _journal(),
        "resume_300_events_ms": _resume(),
        "recogniser_cpu_per_audio_second": _recogniser(language),
        **decision_figures(language, recordings),
    }
    if voice:
        figures["voice_render_ms"] = _voice(language)
    if as_json:
        click.echo(json.dumps(figures))
        return 0
    from voicehost.cli.texts import interface

    for name, value in figures.items():
        shown = "—" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
        click.echo(f"{shown:>10}  {interface(f'bench.{name}')}")
    return 0


def _median(measure: Callable[[], float]) -> float:
    return statistics.median(measure() for _ in range(ROUNDS))


def _seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _played(days: int) -> tuple[Any, list[Any]]:
    """Play quiet days, return the history and the commands."""
    from voicehost.rules import commands as cmd
    from voicehost.rules.game import Step, new_game
    from voicehost.rules.history import HOST, History
    from voicehost.rules.referee import decide
    from voicehost.rules.refusals import Refusal
    from voicehost.rules.ruleset import shipped

    history = History(new_game(shipped("sport"), 10))
    commands: list[cmd.Command] = [cmd.StartGame()]
    while history.game.day <= days:
        given = commands[-1] if history.next_seq == 1 else cmd.Next()
        decision = decide(history.game, given)
        assert not isinstance(decision, Refusal)
        history = history.record(HOST, decision)
        commands.append(given)
        assert history.game.step is not Step.OVER
    return history, commands


def _referee() -> float:
    _, commands = _played(4)
    return _median(lambda: len(commands) / _seconds(lambda: _played(4)))


def _parser(language: str) -> float:
    from voicehost.language.commands import covering_phrases, parse
    from voicehost.language.pack import load_pack
    from voicehost.rules.situations import legal_in

    pack = load_pack(language)
    legal = legal_in("speech")
    phrases = covering_phrases(pack, legal)[:300]
    return _median(lambda: len(phrases) / _seconds(lambda: [parse(pack, phrase, legal) for phrase in phrases]))


def _expectation(language: str) -> float:
    from voicehost.hosting.hearing import Expectation
    from voicehost.language.pack import load_pack
    from voicehost.rules.situations import legal_in

    pack = load_pack(language)
    legal = legal_in("speech")
    return _median(lambda: 1000 * _seconds(lambda: Expectation(pack, legal)))


def _entries(count: int) -> tuple[Any, list[Any]]:
    from voicehost.hosting.setup import make_setup
    from voicehost.record.entries import Entry
    from voicehost.rules.ruleset import shipped

    history, _ = _played(count // 25 + 1)
    entries = [Entry("host", "next", {}, None, group.events, 0.0, 0.0, None) for group in history.groups]
    return make_setup(shipped("sport"), dealing="unknown"), entries


def _journal() -> float:
    import tempfile
    from pathlib import Path

    from voicehost.record.journal import Journal

    setup, entries = _entries(100)
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "bench.db") as journal:
        game = journal.create(setup.to_mapping()).id
        return 1000 * statistics.median(_seconds(partial(journal.append, game, entry)) for entry in entries)


def _resume() -> float:
    from voicehost.hosting.resume import replay

    setup, entries = _entries(300)
    return _median(lambda: 1000 * _seconds(lambda: replay(setup, entries)))


def _recogniser(language: str) -> float | None:
    from voicehost.cli.recognisers import open_recogniser
    from voicehost.errors import UserError
    from voicehost.stt.recogniser import SAMPLE_RATE

    try:
        recogniser = open_recogniser("auto", language)
    except UserError:
        return None
    noise = bytes(range(256)) * (SAMPLE_RATE * 2 * 5 // 256)
    recogniser.expect(["дальше", "спасибо"])
    began = time.process_time()
    recogniser.feed(noise)
    recogniser.finish()
    spent = time.process_time() - began
    recogniser.close()
    return spent / 5


def _voice(language: str) -> float | None:
    from voicehost.errors import UserError
    from voicehost.tts.selection import choose

    try:
        voice = choose(language)
    except UserError:
        return None
    assert voice is not None
    try:
        voice.render("раз")
        return 1000 * _seconds(lambda: voice.render("Игрок номер семь, ваша минута."))
    finally:
        voice.close()
