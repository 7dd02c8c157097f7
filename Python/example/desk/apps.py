from django.apps import AppConfig
from django.core.cache import cache


class DeskConfig(AppConfig):
    name = "desk"

    def ready(self):
        from seedbed.django import applied

        applied.connect(forget_countries)


def forget_countries(sender, using, touched_tables, **kwargs):
    if "desk_country" in touched_tables:
        cache.delete("countries")
