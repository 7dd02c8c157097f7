"""A page of the admin: the rows about which a release and this site disagree."""

import json
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Tuple

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import connections, router, transaction
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, path, reverse

import seedbed

from .._types import Side
from . import _run, _settings

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
CHOICES = {
    "mine": "{} stays as it is here.", "seed": "{} is as in the release.",
    "pin": "{} stays as it is here, and no release changes it."}
SIDES = ("base", "mine", "theirs")
PAGE = 20


class Conflict:
    """What AdminSite.register takes for a model. There is no table, migration or permission."""

    class _meta:
        app_label, model_name, object_name = "seedbed", "conflict", "Conflict"
        label, label_lower = "seedbed.Conflict", "seedbed.conflict"
        verbose_name, verbose_name_plural = "conflict", "conflicts with releases"
        abstract = swapped = proxy = is_composite_pk = False
        app_config = apps.get_app_config("seedbed")


@dataclass
class Row:
    """All conflicts about one row, the oldest first."""

    conflicts: List[seedbed.Conflict]

    def __post_init__(self) -> None:
        last = self.conflicts[-1]
        self.table, self.key, self.kind = last.table, last.key, KINDS.get(last.kind, last.kind)
        self.model = next(
            (each for each in apps.get_models(include_auto_created=True)
             if each._meta.db_table == last.table), None)
        name = self.model._meta.verbose_name if self.model else last.table
        # Nobody knows the ids that this database chose.
        key = last.names or last.key
        self.name = f"{name} {', '.join(map(str, key.values()))}"
        self.ids = ",".join(str(each.id) for each in self.conflicts)
        # Once it is settled with ours, a whole row is left to this site anyway.
        can_be_pinned = None not in (last.mine, last.seed) and last.kind != "keyTaken"
        # Only a release can give a row another key.
        is_of_keys = last.resolution == "moved" or (
            last.kind in ("keyTaken", "referenced") and last.seed and last.base == last.key)
        without = [None if can_be_pinned else "pin", "seed" if is_of_keys else None]
        self.choices = [each for each in CHOICES if each not in without]
        self.is_settled = last.settled is not None
        self.allowed: List[str] = []
        self.object: Any = None
        self.is_here = last.mine is not None
        self.link: Optional[str] = None

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
            cells = list(zip(SIDES, (_shown(side, name) for side in sides)))
            base, mine = ((side or {}).get(name) for side in sides[:2])
            is_same = base != mine and isinstance(mine, str) and _lines(base) == _lines(mine)
            yield name, cells, is_same

    def look_up(self, using: str, site: Any) -> None:
        """Finds the object, and its page."""
        if self.model is None:
            return
        fields = {each.column: each.attname for each in self.model._meta.concrete_fields}
        try:
            key = {fields[column]: value for column, value in self.key.items()}
            self.object = self.model._base_manager.using(using).filter(**key).first()
        except Exception:
            return  # A field of the app's own may not take the value. The page has no link then.
        # It may have come or gone since, also by a choice that can be changed now.
        self.is_here = self.object is not None
        if self.object and router.db_for_write(self.model) == using:
            name = f"admin:{self.model._meta.app_label}_{self.model._meta.model_name}_change"
            try:
                self.link = reverse(name, args=[quote(self.object.pk)], current_app=site.name)
            except NoReverseMatch:
                pass


def _lines(value: Any) -> Any:
    """As a browser sends it back."""
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else value


def _shown(side: Any, name: str) -> Tuple[str, Optional[str]]:
    """A word for what is not there, or the value."""
    if side is None:
        return "no row", None
    if name not in side:
        return "not set", None
    value = side[name]
    if value is None or value == "":
        return ("NULL" if value is None else "empty"), None
    return "", value if isinstance(value, str) else json.dumps(value)


class ConflictAdmin(admin.ModelAdmin):
    def check(self, **kwargs: Any) -> List[Any]:
        return []

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    has_change_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_delete_permission = has_add_permission

    def get_urls(self) -> List[Any]:
        view = self.admin_site.admin_view(self.page)
        return [path("", view, name="seedbed_conflict_changelist")]

    def allows(self, request: HttpRequest, what: str, row: Row) -> bool:
        """Who may do it to the row by hand may do it here."""
        if row.model is None:
            return bool(request.user.is_superuser)
        own = self.admin_site._registry.get(row.model)
        if own is None:
            meta = row.model._meta
            return bool(request.user.has_perm(f"{meta.app_label}.{what}_{meta.model_name}"))
        given = (request,) if what == "add" else (request, row.object)
        return bool(getattr(own, f"has_{what}_permission")(*given))

    def rows(self, request: HttpRequest, using: str, settled: bool) -> List[Row]:
        """Those of tables that the user may see, the newest first."""
        found: Dict[Tuple[str, str], List[seedbed.Conflict]] = {}
        with _run.reached(using, writes=False) as db:
            for each in seedbed.conflicts(db, **_settings.options(using)):
                if (each.settled is not None) == settled:
                    found.setdefault((each.table, json.dumps(each.key)), []).append(each)
        rows = sorted(map(Row, found.values()), key=lambda row: -row.conflicts[-1].id)
        return [row for row in rows if self.allows(request, "view", row)]

    def page(self, request: HttpRequest) -> Any:
        aliases = list(_settings.databases())
        using = request.GET.get("database", aliases[0])
        settled = "settled" in request.GET
        if using not in aliases:
            raise PermissionDenied
        rows: List[Row] = []
        try:
            rows = self.rows(request, using, settled)
            if request.method == "POST":
                self.decide(request, using, rows)
                return HttpResponseRedirect(request.get_full_path())
        except seedbed.Error as error:
            messages.error(request, _run.words(error))
            if request.method == "POST":
                return HttpResponseRedirect(request.get_full_path())
        shown = Paginator(rows, PAGE).get_page(request.GET.get("p"))
        for row in shown:
            row.look_up(using, self.admin_site)
        # Only now is the object here, which a ModelAdmin may hide.
        shown.object_list = [row for row in shown if self.allows(request, "view", row)]
        for row in shown:
            row.allowed = [
                each for each in row.choices if self.allows(request, row.needs(each), row)]
        context = {
            **self.admin_site.each_context(request), "title": "Conflicts with releases",
            "rows": shown, "using": using, "aliases": aliases, "settled": settled,
            "opts": self.opts}
        return TemplateResponse(request, "admin/seedbed/conflicts.html", context)

    def settle(self, using: str, row: Row, choice: str) -> seedbed.Settlement:
        """Settles the conflicts, and pins the row or ends that: all of it, or nothing."""
        options = _settings.options(using)
        at: Dict[str, Any] = {"table": row.table, "key": dict(row.key), **options}
        side: Side = "seed" if choice == "seed" else "mine"

        def settled(db: Any, pins: bool) -> seedbed.Settlement:
            """With a pin before, or without one."""
            first, undo = (seedbed.pin, seedbed.unpin) if pins else (seedbed.unpin, seedbed.pin)
            first(db, **at)
            done = None
            try:
                done = resolved(db)
            finally:
                if done is None or done.refused:
                    undo(db, **at)
            return done

        def resolved(db: Any) -> seedbed.Settlement:
            return seedbed.resolve(db, id=[each.id for each in row.conflicts], side=side, **options)

        def is_pinned(db: Any) -> bool:
            return seedbed.origin(db, **at).is_pinned

        with _run.reached(using) as db:
            if choice == "pin":
                return resolved(db) if is_pinned(db) else settled(db, pins=True)
            # Who changes their mind about a pinned row lets releases change it again.
            if row.is_settled and is_pinned(db):
                return settled(db, pins=False)
            done = resolved(db)
            if done.refused and choice == "seed" and is_pinned(db):
                return settled(db, pins=False)
            return done

    def decide(self, request: HttpRequest, using: str, rows: List[Row]) -> None:
        choice = request.POST.get("choice", "")
        row = next((row for row in rows if row.ids == request.POST.get("ids")), None)
        if row is None or choice not in row.choices:
            messages.warning(
                request, "This row's conflicts have changed since. Look at them again.")
            return
        row.look_up(using, self.admin_site)
        if not all(self.allows(request, what, row) for what in ("view", row.needs(choice))):
            raise PermissionDenied
        done = self.settle(using, row, choice)
        _run.changed(using, done)
        for each in done.refused:
            messages.error(request, each["reason"])
        if not done.refused:
            words = CHOICES[choice].format(row.name)
            messages.success(request, words)
            own = self.admin_site._registry.get(row.model)
            if row.object and own:
                own.log_change(request, row.object, f"Conflict with a release: {words}")


# A decision is a transaction of Seedbed's own, in another connection.
for _alias in connections:
    transaction.non_atomic_requests(_alias)(ConflictAdmin.page)
admin.site.register([Conflict], ConflictAdmin)
