import json
from subprocess import PIPE, run
from flask import Flask, abort, render_template_string, request
app = Flask(__name__)
SIDES = {"mine": "--mine", "theirs": "--seed", "pin": "--mine"}
PAGE = """<!doctype html><title>Conflicts</title><p>{{ message }}</p>{% for ids, row in rows %}
<form method="post"><input type="hidden" name="row" value="{{ ids }}"><h2>{{ row[0].table }}
{{ row[0]["key"] }}</h2><table><tr><th><th>Before<th>Mine<th>Theirs{% for one in row %}
{% for name in one.mine or one.seed %}<tr><th>{{ name }}{% for side in [one.base, one.mine,
one.seed] %}<td>{{ "no row" if side is none else "NULL" if side[name] is none else side[name] }}
{% endfor %}{% endfor %}{% endfor %}</table><button name="to" value="mine">Keep mine</button>
<button name="to" value="theirs">Take theirs</button>{% if row[-1].kind == "edited" %}
<button name="to" value="pin">Leave to me for good</button>{% endif %}</form>{% endfor %}"""

def seedbed(verb, *words):
    answer = json.loads(run(["seedbed", verb, "--json", *words], stdout=PIPE).stdout)
    return abort(500, answer["error"]["message"]) if "error" in answer else answer

def open_rows():
    rows = {}
    for one in [each for each in seedbed("conflicts")["conflicts"] if not each["settled"]]:
        rows.setdefault((one["table"], str(one["key"])), []).append(one)
    return {" ".join(str(one["id"]) for one in row): row for row in rows.values()}

def settle(ids, to):
    row = open_rows().get(ids) or abort(409, "This row has other conflicts now: look again.")
    answer = seedbed("resolve", SIDES[to], *ids.split())
    if to == "pin" and answer["settled"]:
        key = [str(value) for value in row[0]["key"].values()]
        key = ['"%s"' % v.replace('"', '""') if set(v) & set(',"\n') else v for v in key]
        seedbed("pin", "--", row[0]["table"], ",".join(key))
    return " ".join(one["reason"] for one in answer["refused"]) or "Done."

@app.route("/conflicts", methods=["GET", "POST"])
def conflicts():
    is_post, site = request.method == "POST", request.headers.get("Sec-Fetch-Site")
    if request.remote_user != "ada" or is_post and site != "same-origin":
        abort(403)
    message = settle(request.form["row"], request.form["to"]) if is_post else ""
    return render_template_string(PAGE, message=message, rows=open_rows().items())
