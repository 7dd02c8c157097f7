"""The options of calls, printed by a test from the table in Sources/SeedbedOptions."""

from typing import Any, Dict, Literal, Mapping, Optional, Sequence, TypedDict, Union

from ._types import Key, Path, Watched


class Options(TypedDict, total=False):
    on_edited: Optional[Literal["keepEdits", "preferSeed", "keepRow", "overwriteRow", "fail"]]
    on_taken: Optional[Literal["keepUser", "moveUser", "replaceUser", "fail"]]
    backups: Optional[Path]
    keep: Optional[int]
    ledger: Optional[str]
    beside: Optional[Union[Path, Sequence[Path]]]
    lock_timeout: Optional[float]
    signed_by: Optional[Union[str, Sequence[str]]]
    downloaded: Optional[Union[Path, Sequence[Path]]]
    allow_sql: bool
    known: Optional[Mapping[str, int]]
    locked: bool
    connection_sql: Optional[str]


class UpOptions(Options, Watched, total=False):
    to: Optional[int]
    no_backup: bool
    allow_out_of_order: bool
    must_exist: bool
    allow_newer: bool
    first: Optional[Path]
    adopt: Optional[int]
    reporting: Optional[Literal["outcome", "counts", "keys"]]


class PlanOptions(Options, Watched, total=False):
    to: Optional[int]
    no_backup: bool
    allow_out_of_order: bool
    must_exist: bool
    adopt: Optional[int]
    reporting: Optional[Literal["outcome", "counts", "keys"]]


class DownOptions(Options, Watched, total=False):
    discard_user_rows: bool
    no_backup: bool
    reporting: Optional[Literal["outcome", "counts", "keys"]]


class ReseedOptions(Options, total=False):
    no_backup: bool
    missing: bool


# What some verbs cannot do without.
OPERANDS: Dict[str, Any] = {
    "to": int,
    "id": Union[int, Sequence[int]],
    "side": Literal["mine", "seed"],
    "table": str,
    "key": Key,
    "owner": Key}
# Of the extension alone; and those that may be empty.
OF_EXTENSION = ("known", "locked", "connection_sql", "allow_newer", "first", "reporting")
MAY_BE_EMPTY = ("downloaded", "known")
