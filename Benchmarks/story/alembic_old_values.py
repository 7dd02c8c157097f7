"""Alembic's migrations, which change a cell or a row only if it is as the edition before had it.

Pages: those of alembic_migration.py, and "Using UPDATE and DELETE Statements", SQLAlchemy,
https://docs.sqlalchemy.org/en/20/tutorial/data_update.html. A word is deleted only if no sense is
left, or those that users added would go with it.
"""
from alembic_migration import play

CHANGES = '''\
# The author's code.
    for rows, used in [(senses, false()), (words, exists().where(senses.c.word_id == words.c.id))]:
        for old, values in edition[rows.name]["changed"]:
            for name, value in values.items():
                op.execute(rows.update().where(
                    rows.c.id == old["id"], rows.c[name] == old[name]).values({name: value}))
        for old in edition[rows.name]["retired"]:
            op.execute(rows.delete().where(~used, *(rows.c[name] == old[name] for name in old)))
# End.
'''

play(CHANGES)
