"""Django's `loaddata` of a fixture with natural keys and without ids.

Page: "Fixtures", https://docs.djangoproject.com/en/5.2/topics/db/fixtures/, and "Natural keys",
https://docs.djangoproject.com/en/5.2/topics/serialization/. The fixture is in JSONL, which Django
reads line by line, as `dumpdata --natural-foreign --natural-primary --format jsonl` writes it.
"""
import json
import sys

from files import records, run

if sys.argv[1] == "start":
    import django_models  # noqa: F401, the settings and the models
    from django.core.management import call_command

# The author's code.


def release(number, editions, folder):
    slugs = {}
    with open(f"{folder}/{number}.jsonl", "w") as file:
        for row in records(f"{editions}/{number}", "words"):
            slugs[row.pop("id")] = row["slug"]
            print(json.dumps({"model": "dictionary.word", "fields": row}), file=file)
        for row in records(f"{editions}/{number}", "senses"):
            del row["id"]
            row["word"] = [slugs[row.pop("word_id")]]
            print(json.dumps({"model": "dictionary.sense", "fields": row}), file=file)


def start(number, folder, database):
    call_command("loaddata", f"{folder}/{number}.jsonl", verbosity=0)


# End.
run(start, start, release)
