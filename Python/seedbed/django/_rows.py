"""What the admin's page shows of a row: its name, the values of each side, and the choices."""

import json
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Tuple

from django.apps import apps
from django.contrib.admin.utils import quote
from django.db import models, router
from django.urls import NoReverseMatch, reverse
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext

import seedbed

KINDS = {
    "edited": "Changed here, and by a release.",
    "deletedByUser": "Deleted here, and changed by a release.",
    "editedRetired": "Changed here, and retired by a release.",
    "keyTaken": "Added here, and by a release, with the same key.",
    "uniqueTaken": "A row of this site has a value of the release that must be unique.",
    "referenced": "A release changes or retires the row, and others refer to it.",
    "parentDeleted": "The release makes it refer to a row that was deleted here.",
    "parentTaken": "The release makes it refer to a row that was added here.",
}
# Why a row is absent.
ABSENT = {
    "deletedByUser": "Deleted here.",
    "uniqueTaken": KINDS["uniqueTaken"],
    "parentDeleted": "It refers to a row that was deleted here.",
    "parentTaken": "It refers to a row that was added here.",
}
CHOICES = {
    "mine": "{} stays as it is here.", "seed": "{} is as in the release.",
    "pin": "{} stays as it is here, and no release changes it.",
    "unpin": "{} stays as it is here, and releases change it again."}
MANY = {
    "mine": "{} rows stay as they are here.", "seed": "{} rows are as in the release.",
    "pin": "{} rows stay as they are here, and no release changes them.",
    "unpin": "{} rows stay as they are here, and releases change them again."}
SIDES = ("base", "mine", "theirs")


@dataclass(eq=False)
class Row:
    """All conflicts about one row, the oldest first."""

    conflicts: List[seedbed.Conflict]
    is_pinned: Optional[bool]  # None if only `seedbed.origin` knows

    def __post_init__(self) -> None:
        last = self.conflicts[-1]
        self.table, self.key, self.kind = last.table, last.key, KINDS.get(last.kind, last.kind)
        self.model = next(
            (each for each in apps.get_models(include_auto_created=True)
             if each._meta.db_table == last.table and not each._meta.proxy), None)
        own = self.model._meta.concrete_fields if self.model else ()
        self.fields: Dict[str, Any] = {each.column: each for each in own}
        # Nobody knows the ids that this database chose.
        key = last.names or last.key
        self.named(", ".join(map(str, key.values())))
        self.ids = ",".join(str(each.id) for each in self.conflicts)
        self.is_settled = last.settled is not None
        # Once it is settled with ours, a whole row is left to this site anyway.
        can_be_pinned = None not in (last.mine, last.seed) and last.kind != "keyTaken"
        # Only a release can give a row another key.
        is_of_keys = last.resolution == "moved" or (
            last.kind in ("keyTaken", "referenced") and last.seed and last.base == last.key)
        can_be_unpinned = bool(self.is_settled and self.is_pinned)
        without = [
            "mine" if can_be_unpinned else "unpin", "seed" if is_of_keys else None,
            None if can_be_pinned and not can_be_unpinned else "pin"]
        self.choices = [each for each in CHOICES if each not in without]
        self.allowed: List[str] = []
        self.object: Any = None
        self.is_here = last.mine is not None
        self.link: Optional[str] = None
        self.using = ""

    def named(self, title: str) -> None:
        self.name = f"{self.model._meta.verbose_name if self.model else self.table} {title}"

    def needs(self, choice: str) -> str:
        """The permission that a choice needs: to make the row as the side has it."""
        last = self.conflicts[-1]
        if (last.seed if choice == "seed" else last.mine) is None:
            return "delete"
        return "change" if self.is_here else "add"

    @property
    def needed(self) -> str:
        """In words, what any choice needs."""
        return " or ".join(sorted(set(map(self.needs, self.choices))))

    @property
    def columns(self) -> Iterator[Tuple[str, List[Any], bool]]:
        """By the column, the cells, and whether only line breaks or spaces were changed."""
        found: Dict[str, Tuple[Any, Any, Any]] = {}
        for each in self.conflicts:
            if each.mine is None or each.seed is None:
                found = {}  # It is about the whole row.
            # A column that the release does not set stays as it is in any case.
            for name in each.seed or {**(each.base or {}), **(each.mine or {})}:
                found[name] = (each.base, each.mine, each.seed)
        for name, sides in found.items():
            field = self.fields.get(name)
            if isinstance(field, models.AutoField) and len(found) > 1:
                continue  # The database chose the id.
            cells = list(zip(SIDES, (self.shown(side, name) for side in sides)))
            base, mine = ((side or {}).get(name) for side in sides[:2])
            is_same = base != mine and isinstance(mine, str) and _lines(base) == _lines(mine)
            yield capfirst(field.verbose_name) if field else name, cells, is_same

    def shown(self, side: Any, name: str) -> Tuple[str, Optional[str]]:
        """A word for what is not there, or the value."""
        if side is None:
            return "no row", None
        if name not in side:
            return "not set", None
        value = side[name]
        if value is None or value == "":
            return ("NULL" if value is None else "empty"), None
        text = value if isinstance(value, str) else json.dumps(value)
        try:
            return "", _words(self.fields[name], value, self.using) or text
        except Exception:
            return "", text  # A field of the app's own may not take the value.

    def look_up(self, using: str, site: Any) -> None:
        """Finds the object, its name, and its page."""
        self.using = using
        if self.model is None:
            return
        try:
            key = {self.fields[column].attname: value for column, value in self.key.items()}
            self.object = self.model._base_manager.using(using).filter(**key).first()
        except Exception:
            return  # A field of the app's own may not take the value. The page has no link then.
        # It may have come or gone since, also by a choice that can be changed now.
        self.is_here = self.object is not None
        if not self.object:
            return
        try:
            self.named(str(self.object).strip() or "…")
        except Exception:
            pass  # Its key names it.
        if router.db_for_write(self.model) == using:
            name = f"admin:{self.model._meta.app_label}_{self.model._meta.model_name}_change"
            try:
                self.link = reverse(name, args=[quote(self.object.pk)], current_app=site.name)
            except NoReverseMatch:
                pass


class Absent(Row):
    """A row that is not there, as a conflict in which only the release has a side."""

    def __init__(self, number: int, row: seedbed.AbsentRow) -> None:
        super().__init__([seedbed.Conflict(
            row.json, number, row.version, row.table, row.key, row.reason, None, "", None, None,
            row.row, None, "", None, None)], None)
        self.kind = ABSENT.get(row.reason, row.reason)
        self.ids = json.dumps([row.table, row.key])
        self.choices = ["seed"]


def _words(field: Any, value: Any, using: str) -> Optional[str]:
    """A value as the admin's own pages have it; None if as the database has it."""
    if field.remote_field:
        rows = field.remote_field.model._base_manager.using(using)
        found = rows.filter(**{field.target_field.attname: value}).first()
        return str(found) if found else None
    if field.flatchoices:
        return str(dict(field.flatchoices)[field.to_python(value)])
    if isinstance(field, models.BooleanField):
        return str(gettext("Yes") if field.to_python(value) else gettext("No"))
    if isinstance(field, models.DecimalField):
        return str(number_format(field.to_python(value), field.decimal_places))
    if isinstance(field, models.UUIDField):
        return str(field.to_python(value))
    return None


def _lines(value: Any) -> Any:
    """As a browser sends it back."""
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else value
