"""A page of the admin: the rows about which a release and this site disagree, and those that are
not here."""

import json
import re
from typing import Any, Dict, Iterator, List, Tuple

from django.apps import apps
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path

import seedbed

from .._options import ReseedOptions
from .._types import Side
from . import _run, _settings
from ._rows import CHOICES, MANY, Absent, Row

PAGE = 20


class Conflict:
    """What AdminSite.register takes for a model. There is no table, migration or permission."""

    class _meta:
        app_label, model_name, object_name = "seedbed", "conflict", "Conflict"
        label, label_lower = "seedbed.Conflict", "seedbed.conflict"
        verbose_name, verbose_name_plural = "conflict", "conflicts with releases"
        abstract = swapped = proxy = is_composite_pk = False
        app_config = apps.get_app_config("seedbed")


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
        pins = _run.Pins(using) if found else None
        rows = [
            Row(each, pins.has(each[-1].table, each[-1].key) if pins else None)
            for each in found.values()]
        rows.sort(key=lambda row: -row.conflicts[-1].id)
        return [row for row in rows if self.allows(request, "view", row)]

    def absent(self, request: HttpRequest, using: str) -> List[Row]:
        """Those of the catalog that are not here. It plays the catalog."""
        with _run.reached(using, writes=False) as db:
            found = seedbed.absent(db, **_settings.options(using))
        rows = [Absent(number, each) for number, each in enumerate(found)]
        return [row for row in rows if self.allows(request, "view", row)]

    def page(self, request: HttpRequest) -> Any:
        aliases = list(_settings.databases())
        using = request.GET.get("database", aliases[0])
        settled, absent = "settled" in request.GET, "absent" in request.GET
        if using not in aliases:
            raise PermissionDenied
        rows: List[Row] = []
        try:
            rows = (
                self.absent(request, using) if absent else self.rows(request, using, settled))
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
        able = [row for row in shown if row.allowed]
        context = {
            **self.admin_site.each_context(request), "title": "Conflicts with releases",
            # Each row that comes back takes a backup of its own.
            "many": len(able) if len(able) > 1 and not absent else 0,
            "offered": {each for row in able for each in row.allowed},
            "rows": shown, "using": using, "aliases": aliases, "settled": settled,
            "absent": absent, "opts": self.opts}
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
            return seedbed.resolve(db, id=_numbers([row]), side=side, **options)

        with _run.reached(using) as db:
            if isinstance(row, Absent):
                at.update(_settings.options(using, ReseedOptions))
                back = seedbed.reseed(db, **at)
                return seedbed.Settlement(
                    {}, tuple(_numbers([row])), (), (), back.touched_tables)
            if choice == "unpin":
                seedbed.unpin(db, **at)
                return seedbed.Settlement({}, tuple(_numbers([row])), (), (), ())
            if row.is_pinned is None:
                row.is_pinned = seedbed.origin(db, **at).is_pinned
            if choice == "pin":
                return resolved(db) if row.is_pinned else settled(db, pins=True)
            # Who changes their mind about a pinned row lets releases change it again.
            if row.is_pinned and (row.is_settled or choice == "seed"):
                return settled(db, pins=False)
            return resolved(db)

    def settlements(self, using: str, rows: List[Row], choice: str) -> Iterator[seedbed.Settlement]:
        """Many rows at once, in one transaction if none is pinned or is to be."""
        together = [
            row for row in rows if len(rows) > 1 and choice in ("mine", "seed")
            and row.is_pinned is False]
        if together:
            side: Side = "seed" if choice == "seed" else "mine"
            with _run.reached(using) as db:
                yield seedbed.resolve(
                    db, id=_numbers(together), side=side, **_settings.options(using))
        for row in rows:
            if row not in together:
                yield self.settle(using, row, choice)

    def decide(self, request: HttpRequest, using: str, rows: List[Row]) -> None:
        choice = request.POST.get("choice", "")
        wanted = request.POST.getlist("shown" if "all" in request.POST else "ids")
        chosen = [row for row in rows if row.ids in wanted]
        is_one = "many" not in request.POST
        if not wanted or len(chosen) < len(wanted) or (
                is_one and not all(choice in row.choices for row in chosen)):
            which = "This row's" if is_one else "No row is selected, or its"
            said = f"{which} conflicts have changed since. Look at them again."
            if "absent" in request.GET:
                said = "This row is not absent now. Look at the others again."
            messages.warning(request, said)
            return
        fitting = []
        for row in chosen:
            row.look_up(using, self.admin_site)
            if choice in row.choices and all(
                    self.allows(request, what, row) for what in ("view", row.needs(choice))):
                fitting.append(row)
            elif is_one:
                raise PermissionDenied
        others = len(chosen) - len(fitting)
        done: List[Row] = []
        try:
            for settlement in self.settlements(using, fitting, choice):
                _run.changed(using, settlement)
                done += self.tell(request, settlement, fitting, choice)
        finally:
            if len(done) == 1:
                messages.success(request, CHOICES[choice].format(done[0].name))
            elif done:
                messages.success(request, MANY[choice].format(len(done)))
            if others:
                which = f"{others} rows were" if others > 1 else "1 row was"
                messages.warning(
                    request, f"{which} left alone: they do not have this choice, or you lack the "
                    "permission.")

    def tell(
        self, request: HttpRequest, settlement: seedbed.Settlement, rows: List[Row], choice: str
    ) -> List[Row]:
        """The rows that are settled. Of the others it says why they are not."""
        numbers = {each.id: row for row in rows for each in row.conflicts}
        refused = {numbers[each["id"]]: each["reason"] for each in settlement.refused}
        for row, reason in refused.items():
            # The number and the key are for programs.
            sentence = re.sub(
                r"^Conflict \d+ \(.*?\)(?= is not settled[.:] )", "", reason, flags=re.S)
            name = "" if sentence == reason else row.name[:1].upper() + row.name[1:]
            messages.error(request, name + sentence)
        settled = set(settlement.settled)
        done = [
            row for row in rows
            if row not in refused and any(each.id in settled for each in row.conflicts)]
        for row in done:
            own = self.admin_site._registry.get(row.model)
            if row.object and own:
                words = CHOICES[choice].format(row.name)
                own.log_change(request, row.object, f"Conflict with a release: {words}")
        return done


def _numbers(rows: List[Row]) -> List[int]:
    return [each.id for row in rows for each in row.conflicts]


# A decision is a transaction of Seedbed's own, in another connection.
for _alias in connections:
    transaction.non_atomic_requests(_alias)(ConflictAdmin.page)
admin.site.register([Conflict], ConflictAdmin)
