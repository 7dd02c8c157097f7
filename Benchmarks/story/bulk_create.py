"""Django's `bulk_create` with `ignore_conflicts`.

Page: "QuerySet API reference", https://docs.djangoproject.com/en/5.2/ref/models/querysets/, with
its `islice` for many rows, in one transaction, as a data migration is: "Migrations",
https://docs.djangoproject.com/en/5.2/topics/migrations/#data-migrations.
"""
from itertools import islice

from django_models import Sense, Word
from django.db import transaction

from files import records, run

# The author's code.


def start(number, folder, database):
    with transaction.atomic():
        for table, model in [("words", Word), ("senses", Sense)]:
            rows = (model(**row) for row in records(f"{folder}/{number}", table))
            while batch := list(islice(rows, 10_000)):
                model.objects.bulk_create(batch, ignore_conflicts=True)


# End.
run(start, start)
