"""What calls take, return and raise."""

import os
import threading
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Dict, Iterator, Literal, Mapping, NamedTuple, Optional
from typing import Sequence, Tuple, Type, TypedDict, TypeVar, Union

from ._remedies import of_python

Path = Union[str, os.PathLike[str]]
Value = Union[str, int, float]
Key = Union[Value, Sequence[Value], Mapping[str, Value]]
Ids = Union[int, Sequence[int]]
Side = Literal["mine", "seed"]
Document = Dict[str, Any]
Row = Mapping[str, Any]
Made = TypeVar("Made", bound="Result")


@dataclass(frozen=True)
class Progress:
    """What a call is doing: "waiting", "backingUp", "applying", "checking" or "committing"."""

    fraction: float  # from 0 to 1
    phase: str
    table: Optional[str]
    rows: int


Listener = Callable[[Progress], object]


class Watched(TypedDict, total=False):
    """What only Python takes, of verbs that write."""

    progress: Optional[Listener]
    cancel: Optional[threading.Event]


@dataclass(frozen=True)
class Result:
    """An answer. `json` is the whole document, as `seedbed VERB --json` prints it."""

    json: Document = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.json[name]

    @classmethod
    def of(cls: Type[Made], document: Document) -> Made:
        """With the members that have the names of the fields: `touchedTables`, and `from`."""
        values: Dict[str, Any] = {"json": document}
        for name in [each.name for each in fields(cls)][1:]:
            first, *rest = name.replace("_version", "").split("_")
            value = document[first + "".join(word.title() for word in rest)]
            values[name] = tuple(value) if isinstance(value, list) else value
        return cls(**values)


@dataclass(frozen=True)
class PassedOver(Result):
    """A download that was not used, and why: no error, since the call went on without it."""

    path: str
    reason: str  # such as "older", "wrongKey", "damaged" or "newer"
    message: str


@dataclass(frozen=True)
class SignedHead(Result):
    """The highest release by a key that came to the database in a download."""

    key: str
    version: int
    lock: str
    signed_at: Optional[str]  # None if the download is not at hand


@dataclass(frozen=True)
class Conflict(Result):
    """A value or a row that both the user and a release changed. `base`, `mine` and `seed` are the
    values before the release, the user's and the release's; None for no row."""

    id: int
    version: int
    table: str
    key: Row
    kind: str  # such as "edited", "deletedByUser" or "keyTaken"
    policy: Optional[str]
    resolution: str  # such as "keptUser"
    base: Optional[Row]
    mine: Optional[Row]
    seed: Optional[Row]
    moved_to: Optional[Row]
    at: str
    settled: Optional[str]  # "mine" or "seed", once somebody chose
    settled_at: Optional[str]

    @property
    def names(self) -> Optional[Row]:
        """The key as in the row files, if it holds ids that each database chose itself."""
        names: Optional[Row] = self.json.get("names")
        return names


@dataclass(frozen=True)
class Report(Result):
    outcome: str  # "applied", "planned", "reverted" or "upToDate"
    from_version: int
    to_version: int
    migrations: Tuple[Row, ...]
    touched_tables: Tuple[str, ...]
    backup: Optional[str]

    @property
    def conflicts(self) -> Tuple[Conflict, ...]:
        """Those of the adoption first, if the database was adopted."""
        reports = (self.json.get("adopted", {}), *self.migrations)
        return tuple(Conflict.of(row) for each in reports for row in each.get("conflicts", ()))

    @property
    def packs(self) -> Tuple[Row, ...]:
        """Of a base: the names of its packs, with the JSON of their reports."""
        return tuple(self.json.get("packs", ()))

    @property
    def passed_over(self) -> Tuple[PassedOver, ...]:
        return tuple(map(PassedOver.of, self.json.get("passedOver", ())))


@dataclass(frozen=True)
class Counts(Result):
    """Versions, how the last run ended, and numbers of conflicts by what they are about."""

    day: str  # such as "2026-11-27"
    state: str  # as of a Status
    current: int
    target: int
    last_run: Optional[str]  # such as "applied" or "failed"
    last_run_day: Optional[str]
    conflicts: Tuple[Row, ...]


@dataclass(frozen=True)
class Status(Result):
    state: str  # such as "upToDate", "pending" or "newer"
    current: int
    target: int
    migrations: Tuple[Row, ...]
    last_run: Optional[Row]

    @property
    def packs(self) -> Tuple[Row, ...]:
        return tuple(self.json.get("packs", ()))

    @property
    def signed_heads(self) -> Tuple[SignedHead, ...]:
        return tuple(map(SignedHead.of, self.json.get("signedHeads", ())))

    @property
    def passed_over(self) -> Tuple[PassedOver, ...]:
        return tuple(map(PassedOver.of, self.json.get("passedOver", ())))


@dataclass(frozen=True)
class Conflicts(Result):
    """The log of conflicts: iterate over it."""

    def __iter__(self) -> Iterator[Conflict]:
        return map(Conflict.of, self.json["conflicts"])

    def __len__(self) -> int:
        return len(self.json["conflicts"])


@dataclass(frozen=True)
class Settlement(Result):
    """The numbers of conflicts that are settled, or whose row the user changed in the meantime;
    and those that could not be settled, each with a reason."""

    settled: Tuple[int, ...]
    changed_since: Tuple[int, ...]
    refused: Tuple[Row, ...]
    touched_tables: Tuple[str, ...]


@dataclass(frozen=True)
class Pins(Result):
    pinned: Tuple[Row, ...]  # all pinned rows, each with "table" and "key"


@dataclass(frozen=True)
class Origin(Result):
    origin: Optional[str]  # such as "seed"; None if there is no such row
    original: Optional[Row]  # as the catalog has it
    is_pinned: bool


@dataclass(frozen=True)
class AbsentRow(Result):
    """A row of the catalog that is not in the database."""

    table: str
    key: Row  # by the names that the row files give its columns
    reason: str  # such as "deletedByUser" or "uniqueTaken"
    row: Row  # as the catalog has it
    version: int


@dataclass(frozen=True)
class Absent(Result):
    """The rows of the catalog that are not in the database: iterate over it."""

    def __iter__(self) -> Iterator[AbsentRow]:
        return map(AbsentRow.of, self.json["absent"])

    def __len__(self) -> int:
        return len(self.json["absent"])


@dataclass(frozen=True)
class Reseeded(Result):
    outcome: str  # "reseeded" or "upToDate"
    tables: Tuple[Row, ...]  # with numbers of rows: "inserted", "updated", "unchanged", "kept"
    touched_tables: Tuple[str, ...]
    backup: Optional[str]


class Place(NamedTuple):
    file: str
    line: Optional[int]
    column: Optional[int]


class Error(Exception):
    """A call that failed. Nothing is left half done. `code` is what a program decides by, such as
    "busy". `message` ends with what to do in Python; `json` has that for other languages. `version`
    is the release that it is about, and `applied` lists those that were finished before."""

    def __init__(self, json: Document) -> None:
        super().__init__(json)
        self.json = json
        error = json["error"]
        self.code: str = error["code"]
        self.message = of_python(error["message"])
        self.version: Optional[int] = error["version"]
        place = Place(error["file"], error["line"], error["column"])
        self.place: Optional[Place] = place if place.file else None
        self.applied: Tuple[int, ...] = tuple(json["applied"])
        self.database_unchanged: bool = json["databaseUnchanged"]

    def __str__(self) -> str:
        place = ":".join(str(each) for each in self.place or () if each)
        return f"{place}: {self.message}" if place else self.message


class Cancelled(Error):
    """A call that `cancel` ended."""


def failure(message: str, code: str = "usage") -> Error:
    """An error of this package, in the form of the library's."""
    nothing = dict.fromkeys(("file", "line", "column", "version"))
    error = {"code": code, "message": message, **nothing}
    return Error({"schema": 1, "error": error, "databaseUnchanged": True, "applied": []})
