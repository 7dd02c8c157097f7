"""Django's `update_or_create` of each row.

Page: "QuerySet API reference", https://docs.djangoproject.com/en/5.2/ref/models/querysets/, in one
transaction, as a data migration is: "Migrations",
https://docs.djangoproject.com/en/5.2/topics/migrations/#data-migrations.
"""
from django_models import Sense, Word
from django.db import transaction

from files import records, run

# The author's code.


def start(number, folder, database):
    with transaction.atomic():
        for table, model in [("words", Word), ("senses", Sense)]:
            for row in records(f"{folder}/{number}", table):
                model.objects.update_or_create(id=row.pop("id"), defaults=row)


# End.
run(start, start)
