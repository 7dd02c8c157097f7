"""The app, which has no models."""

from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate


class SeedbedConfig(AppConfig):
    name = "seedbed.django"
    label = "seedbed"
    verbose_name = "Seedbed"

    def ready(self) -> None:
        from . import _checks, _run, _settings

        checks.register(_settings.check)
        checks.register(_checks.check)
        checks.register(_checks.check_release, checks.Tags.database)
        post_migrate.connect(_run.after_migrate, dispatch_uid="seedbed")
