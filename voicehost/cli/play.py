"""``voicehost play``: host one game."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.rules.switches import CHOICES

if TYPE_CHECKING:
    from voicehost.cli.calling import PushKey
    from voicehost.hosting.conductor import Conductor
    from voicehost.hosting.setup import Setup
    from voicehost.language.pack import Pack
    from voicehost.language.styles import Style
    from voicehost.record.journal import Journal
    from voicehost.rules.history import History, TimerState

LATEST = "\0latest"
"""``--resume`` without a name: the latest unfinished game."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of ``play``, as given."""

    rules: str | None
    players: int | None
    language: str | None
    names: str | None
    mode: str
    roles: str | None
    seed: int | None
    input: str
    recogniser: str
    device: str | None
    trigger: str
    voice: str
    record: Path | None
    music: Path | None
    clock: str | None
    web: str | None
    journal: Path | None
    resume: str | None
    json: bool
    style: str = "auto"
    volume: str | None = None
    keep_heard: bool = False
    keep_audio: Path | None = None
    wake_word: str | None = None
    push_key: str = "space"
    echo_cancel: str = "auto"


EPILOG = """\b
Примеры:
  voicehost play                                        десять мест, роли знает ведущий
  voicehost play --rules fsm --roles random --seed 7    роли раздаёт программа
  voicehost play --rules classic --players 12           классика на двенадцать
  voicehost play --mode home --clock virtual            игра без ведущего строками «/seat N …»
  voicehost play --input partiya.flac --json            партия из записи
  voicehost play --resume                               продолжить последнюю игру"""


STYLE_HELP = "Как говорить: по форме или вольно, тогда и по имени. [auto: official; с именами classic]"


ECHO_HELP = "Микрофон без эха колонок, если он есть: «стоп» слышно во время реплики. [auto]"


@click.command(name="play", epilog=EPILOG)
@click.option("--rules", metavar="NAME|FILE", help="Набор правил или файл с ним. [sport]")
@click.option("--players", type=int, metavar="N", help="Сколько игроков. [10]")
@click.option("--language", type=click.Choice(CHOICES["language"]), help="Язык игры. [язык набора правил]")
@click.option("--names", metavar='"Аня,Борис,…"', help="Имена по местам.")
@click.option("--mode", type=click.Choice(["hosted", "home"]), default="hosted", help="home: без ведущего. [hosted]")
@click.option("--roles", metavar="don,mafia,…|random|unknown", help="Роли по местам. [unknown; без ведущего random]")
@click.option("--seed", type=int, metavar="N", help="Чтобы раздача повторилась.")
@click.option("--input", default="auto", metavar="auto|mic|text|FILE", help="Откуда команды. [auto]")
@click.option("--recogniser", type=click.Choice(["auto", "vosk", "whisper", "both"]), default="auto", help="[auto]")
@click.option("--device", metavar="NAME", help="Микрофон: часть названия.")
@click.option("--trigger", type=click.Choice(["open", "wake", "push"]), default="open", help="Когда слушать. [open]")
@click.option("--wake-word", metavar='"СЛОВО"', help="Чем звать программу при --trigger wake. [ведущий]")
@click.option(
    "--push-key", default="space", metavar="KEY", help="Клавиша при --trigger push: space, enter, f1…, буква."
)
@click.option("--echo-cancel", type=click.Choice(["auto", "on", "off"]), default="auto", help=ECHO_HELP)
@click.option("--voice", default="auto", metavar="auto|NAME|none", help="Чем говорить. [auto]")
@click.option(
    "--style", default="auto", envvar="VOICEHOST_STYLE", metavar="auto|official|classic|noir", help=STYLE_HELP
)
@click.option("--volume", envvar="VOICEHOST_VOLUME", metavar="voice=100,music=25,…", help="Громкость, 0–100.")
@click.option("--record", type=click.Path(path_type=Path), metavar="OUT.wav", help="Записать сказанное в файл.")
@click.option("--music", type=click.Path(path_type=Path), metavar="FOLDER", help="Музыка ночью и между играми.")
@click.option("--clock", type=click.Choice(["real", "virtual"]), help="virtual: время идёт строками /wait. [real]")
@click.option("--web", is_flag=False, flag_value="", metavar="[HOST:PORT]", help="Страницы для экрана и телефонов.")
@click.option("--journal", type=click.Path(path_type=Path), metavar="FILE", help="Журнал игр.")
@click.option("--keep-heard", is_flag=True, help="Хранить всё услышанное: voicehost games show ID --heard.")
@click.option("--keep-audio", type=click.Path(path_type=Path), metavar="FOLDER", help="То же и звук, для evaluate.")
@click.option("--resume", is_flag=False, flag_value=LATEST, metavar="[ID]", help="Продолжить прерванную игру.")
@click.option("--json", is_flag=True, help="По одному объекту JSON в строке.")
def command(**values: Any) -> int:
    """Провести одну игру: программа объявляет, засекает время и слушает команды."""
    return asyncio.run(host(Options(**values)))


async def host(options: Options) -> int:
    """Host one game from its lobby, or from where it stopped; return the exit status."""
    from voicehost.cli.calling import make_trigger, push_key
    from voicehost.cli.memory import JournalMemory
    from voicehost.cli.pages import open_pages
    from voicehost.cli.sound import open_sound
    from voicehost.cli.sound_options import check_sound_options
    from voicehost.cli.terminal import Terminal, json_line
    from voicehost.cli.transcript import keep_transcript, open_recordings
    from voicehost.hosting.clock import RealClock, VirtualClock
    from voicehost.hosting.conductor import Conductor
    from voicehost.hosting.course import Course
    from voicehost.hosting.inputs import Input
    from voicehost.hosting.words import Words
    from voicehost.language.pack import load_pack
    from voicehost.record.journal import Journal
    from voicehost.rules.game import Mode
    from voicehost.rules.legal import legal

    _check(options)
    with Journal.open(options.journal) as journal:
        setup, game_id, history, timer = _begin(options, journal)
        pack = load_pack(setup.language)
        words = Words(pack, setup.rules.manner, _style(options, setup, pack))
        show = json_line if options.json else Terminal(words, host=setup.mode is Mode.HOSTED)
        inputs: asyncio.Queue[Input | None] = asyncio.Queue()
        virtual = options.clock == "virtual" or _is_recording(options.input)
        check_sound_options(options, setup.language, virtual=virtual)
        trigger = make_trigger(options, setup.language)
        recordings = open_recordings(options.keep_audio)
        pages = open_pages(options, setup, inputs.put_nowait, virtual=virtual, resumed=game_id)
        sound = open_sound(options, setup.language, inputs.put_nowait, virtual=virtual)
        sound.on_lost_sound = pages.lost_sound
        try:
            memory = JournalMemory(journal, setup.to_mapping(), game_id)
            course = Course(
                setup,
                words=words,
                clock=VirtualClock() if virtual else RealClock(),
                tell=pages.watch(show),
                memory=memory,
                speaker=sound.speaker,
                history=history,
            )
            conductor = Conductor(course, trigger)
            if isinstance(show, Terminal):
                show.suggest = lambda line: words.nearest(line, legal(course.game)) if conductor.mistyped else None
            keep_transcript(options, journal, memory, conductor, sound.recogniser, recordings)
            await pages.start(conductor, lambda: memory.game)
            conductor.open(timer, resumed=history is not None)
            if isinstance(show, Terminal) and history is not None:
                show.resumed(course.keeper)
            if not options.json and history is None:
                click.echo(interface("hosting.lobby-hint"), err=True)
            try:
                await _conduct(conductor, sound, inputs, show, push_key(options, trigger))
            finally:
                conductor.close()
                await pages.stop()
                await sound.finish()
                if memory.game is not None and not options.json:
                    over = conductor.course.game.result is not None
                    click.echo(interface("cli.finished" if over else "cli.kept", game=memory.game), err=True)
        finally:
            sound.close()
    return 0


async def _conduct(conductor: Conductor, sound: Any, inputs: Any, show: Any, key: PushKey | None) -> None:
    from contextlib import nullcontext

    from voicehost.cli.lines import keyboard, read_pipe
    from voicehost.cli.terminal import Terminal

    typed = sound.typed_lines
    at_keyboard = typed and isinstance(show, Terminal) and sys.stdin.isatty() and sys.stdout.isatty()
    if typed and not at_keyboard:
        put = inputs.put_nowait
        read_pipe(asyncio.get_running_loop(), lambda item: sound.no_more_lines(put) if item is None else put(item))

    def status() -> str:
        where = show.where(conductor.course.keeper) if isinstance(show, Terminal) else ""
        return " · ".join(filter(None, (sound.status(), where)))

    if key is not None and sound.hears and not at_keyboard:
        click.echo(interface("cli.push-nowhere"), err=True)
    async with keyboard(inputs.put_nowait, status, key) if at_keyboard else nullcontext():
        sound.start(conductor)
        await sound.conduct(conductor, inputs)


def _style(options: Options, setup: Setup, pack: Pack) -> Style:
    """Return the style that was asked for; with names the friendly one, without them the official one."""
    from datetime import date

    from voicehost.language.styles import OFFICIAL, load_style

    name = options.style
    if name == "auto":
        name = "classic" if any(setup.names) else OFFICIAL
    return load_style(pack, name, seed=date.today().toordinal())


def _is_recording(source: str) -> bool:
    return source not in {"auto", "mic", "text"}


def _check(options: Options) -> None:
    if _is_recording(options.input):
        if not Path(options.input).is_file():
            raise UserError("cli.no-such-file", status=2, file=options.input)
        if options.clock == "real":
            raise UserError("cli.file-needs-virtual", status=2)
    if options.resume is not None:
        given = {
            "--rules": options.rules,
            "--players": options.players,
            "--names": options.names,
            "--roles": options.roles,
            "--seed": options.seed,
        }
        name = next((name for name, value in given.items() if value is not None), None)
        if name is not None:
            raise UserError("cli.seed-in-resume", status=2, name=name)


def _begin(options: Options, journal: Journal) -> tuple[Setup, str | None, History | None, TimerState | None]:
    from voicehost.hosting.resume import replay
    from voicehost.hosting.setup import from_setup_mapping, make_setup
    from voicehost.rules.game import Mode

    if options.resume is None:
        from voicehost.cli.options import load_rules

        setup = make_setup(
            load_rules(options.rules or "sport"),
            players=options.players,
            mode=Mode(options.mode),
            language=options.language,
            names=options.names.split(",") if options.names else (),
            dealing=options.roles,
            seed=options.seed,
        )
        return setup, None, None, None
    if options.resume == LATEST:
        latest = journal.latest_unfinished()
        if latest is None:
            raise UserError("cli.no-game-to-resume")
        record = journal.resume(latest.id)
    else:
        record = journal.resume(options.resume)
    try:
        setup = from_setup_mapping(record.setup)
        history, timer = replay(setup, journal.entries(record.id))
    except (ValueError, KeyError, TypeError, AssertionError) as error:
        raise UserError("cli.game-unreadable", game=record.id, problem=error) from error
    return setup, record.id, history, timer
