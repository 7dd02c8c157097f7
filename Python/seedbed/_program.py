"""The program, which works in a process of its own."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._extension import Database
from ._options import OF_EXTENSION
from ._types import Listener, Progress, failure
from ._watch import watched

PROGRAM = pathlib.Path(__file__).with_name("bin") / "seedbed"
# They are the command's. The functions ignore them: the extension does, too.
VARIABLES = ("MIGRATE_DATABASE", "MIGRATE_BACKUPS", "DATABASE_URL")


def main() -> None:
    """The command `seedbed`."""
    os.execve(PROGRAM, ["seedbed", *sys.argv[1:]], environment())


def environment() -> Dict[str, str]:
    """This process's. The program for servers of the package seedbed-postgresql is the last one on
    its PATH."""
    variables = dict(os.environ)
    servers = importlib.util.find_spec("seedbed_postgresql")
    if servers and servers.origin:
        # An empty folder of PATH would be the working folder.
        path = variables.get("PATH", os.defpath)
        folder = os.path.join(os.path.dirname(servers.origin), "bin")
        variables["PATH"] = os.pathsep.join(filter(None, [path, folder]))
    return variables


def call(
    verb: str, catalog: str, database: Database, options: Dict[str, Any],
    progress: Optional[Listener], cancel: Optional[threading.Event]) -> Any:
    """Runs the program."""
    path, flags, operands = database.path, *arguments(str(database.interface), verb, options)
    variables = {name: text for name, text in environment().items() if name not in VARIABLES}
    if "://" in path:
        # Everybody on the machine can read arguments, and a URL may have a password.
        variables["MIGRATE_DATABASE"] = path
    else:
        try:
            flags.append("--database=" + os.path.abspath(path))
        except OSError as error:
            problem = f"The working folder is gone, and '{path}' is relative to it. "
            raise failure(problem + "Pass an absolute path.", "io") from error
    flags += ["--migrations=" + catalog, "--json", "--progress=" + ("json" if progress else "none")]
    command = [str(PROGRAM), verb, *flags, "--", *operands]
    if "\0" in "".join(command):
        raise failure("An argument has a NUL in it. Pass another.")
    processes: List["subprocess.Popen[str]"] = []
    stopped = threading.Event()

    def stop() -> None:
        stopped.set()
        for process in processes:
            process.terminate()  # does what SIGINT does, which a child may have to ignore

    def work(say: Listener) -> Tuple[int, str]:
        with tempfile.TemporaryFile() as output, subprocess.Popen(
            command, env=variables, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
        ) as process:
            processes.append(process)
            if stopped.is_set():
                process.terminate()
            for line in process.stderr or ():
                if line.startswith("{"):
                    say(Progress(**json.loads(line)))
            code = process.wait()
            output.seek(0)
            return code, output.read().decode()

    try:
        code, text = watched(work, stop, progress, cancel)
    except OSError as error:
        raise failure(f"'{PROGRAM}' cannot be run ({error}). Install it again.", "io") from error
    if not text and stopped.is_set():
        return failure("The call was cancelled.", "cancelled").json
    if not text:
        raise failure(f"Seedbed's program ended with {code} and no answer. Try again.", "io")
    return json.loads(text)


def arguments(why: str, verb: str, options: Dict[str, Any]) -> Tuple[List[str], List[str]]:
    """The options of a verb and its operands, as the program takes them. Messages say why it does
    the work."""
    flags: List[str] = []
    operands: List[str] = []
    for name, value in options.items():
        if name == "side":
            flags.append("--" + value)
        elif name == "id":
            operands += map(str, [value] if isinstance(value, int) else value)
        elif name in ("table", "key"):
            operands.append(_key(value))
        elif name == "owner":
            operands.append(str(value))
        elif name == "operands":
            operands += value
        elif name in ("signed_by", "downloaded", "beside"):
            flags += repeated(name, value)
        elif value is not False:
            if name in OF_EXTENSION:
                raise failure(f"'{name}' needs the extension, and {why}. Leave it out.")
            path = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
            text = f"{value:f}" if isinstance(value, float) else path
            flags.append("--" + name.replace("_", "-") + ("" if value is True else "=" + text))
    return flags, operands


def repeated(name: str, value: Any) -> List[str]:
    """An option that may be given more than once, for each of its values."""
    values = [value] if isinstance(value, (str, os.PathLike)) else value
    return [f"--{name.replace('_', '-')}={os.fspath(each)}" for each in values]


def _key(key: Any) -> str:
    """A row's key as in the row files, or with the names of its columns."""
    if isinstance(key, Mapping):
        return json.dumps(dict(key))
    values = [key] if isinstance(key, (str, int, float)) else key
    return ",".join(
        '"' + text.replace('"', '""') + '"' if not text or set(text) & set(',"\r\n') else text
        for text in map(str, values))
