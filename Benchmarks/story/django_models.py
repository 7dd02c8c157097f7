"""The project that the three ways of Django share: models with natural keys, as in "Serializing
Django objects", https://docs.djangoproject.com/en/5.2/topics/serialization/.

It is the app's own, and its lines are not counted.
"""
import sys

import django
from django.apps import AppConfig
from django.conf import settings


class Dictionary(AppConfig):
    name = "django_models"
    label = "dictionary"


def database(name):
    if not name.startswith("postgresql:"):
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": name}
    from psycopg.conninfo import conninfo_to_dict
    words = conninfo_to_dict(name)
    return {"ENGINE": "django.db.backends.postgresql", "NAME": words["dbname"],
            "HOST": words["host"], "USER": words["user"]}


settings.configure(
    INSTALLED_APPS=["django_models.Dictionary"], DATABASES={"default": database(sys.argv[-1])},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", USE_TZ=True)
django.setup()

from django.db import models  # noqa: E402


class WordManager(models.Manager):
    def get_by_natural_key(self, slug):
        return self.get(slug=slug)


class SenseManager(models.Manager):
    def get_by_natural_key(self, slug, position):
        return self.get(word__slug=slug, position=position)


class Word(models.Model):
    slug = models.TextField(unique=True)
    word = models.TextField()
    kind = models.TextField()
    rank = models.BigIntegerField()
    objects = WordManager()

    class Meta:
        app_label = "dictionary"
        db_table = "words"

    def natural_key(self):
        return (self.slug,)


class Sense(models.Model):
    word = models.ForeignKey(Word, models.CASCADE)
    position = models.BigIntegerField()
    text = models.TextField()
    example = models.TextField()
    objects = SenseManager()

    class Meta:
        app_label = "dictionary"
        db_table = "senses"
        unique_together = [("word", "position")]

    def natural_key(self):
        return (*self.word.natural_key(), self.position)

    natural_key.dependencies = ["dictionary.word"]
