import json
from subprocess import PIPE, run
from flask import Flask, abort, render_template_string, request
app = Flask(__name__)
SIDES = {"mine": "--mine", "theirs": "--seed", "pin": "--mine"}
PAGE = """<!doctype html><title>Conflicts</title><a href="absent">What is not there</a>
<p>{{ message }}</p>{% for ids, row in rows %}<form method="post">
<input type="hidden" name="row" value="{{ ids }}"><h2>{{ row[0].table }} {{ row[0]["key"] }}</h2>
<table><tr><th><th>Before<th>Mine<th>Theirs{% for one in row %}
{% for name in one.mine or one.seed %}<tr><th>{{ name }}{% for side in [one.base, one.mine,
one.seed] %}<td>{{ "no row" if side is none else "NULL" if side[name] is none else side[name] }}
{% endfor %}{% endfor %}{% endfor %}</table><button name="to" value="mine">Keep mine</button>
<button name="to" value="theirs">Take theirs</button>{% if row[-1].kind == "edited" %}
<button name="to" value="pin">Leave to me for good</button>{% endif %}</form>{% endfor %}"""
ABSENT = """<!doctype html><title>What is not there</title><a href="conflicts">Conflicts</a>
<p>{{ message }}</p>{% for name, row in rows %}<form method="post">
<input type="hidden" name="row" value="{{ name }}"><h2>{{ row.table }} {{ row["key"] }}</h2>
<p>{{ row.reason }}: {{ row.row }}</p><button>Bring it back</button></form>{% endfor %}"""

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
        seedbed("pin", "--", row[0]["table"], json.dumps(row[0]["key"]))
    return " ".join(one["reason"] for one in answer["refused"]) or "Done."

def absent_rows():
    return {json.dumps([row["table"], row["key"]]): row for row in seedbed("absent")["absent"]}

def bring_back(name):
    row = absent_rows().get(name) or abort(409, "This row is not absent now: look again.")
    seedbed("reseed", "--", row["table"], json.dumps(row["key"]))
    return "Done."

@app.before_request
def check():
    is_post, site = request.method == "POST", request.headers.get("Sec-Fetch-Site")
    if request.remote_user != "ada" or is_post and site != "same-origin":
        abort(403)

@app.route("/conflicts", methods=["GET", "POST"])
def conflicts():
    message = settle(request.form["row"], request.form["to"]) if request.method == "POST" else ""
    return render_template_string(PAGE, message=message, rows=open_rows().items())

@app.route("/absent", methods=["GET", "POST"])
def absent():
    message = bring_back(request.form["row"]) if request.method == "POST" else ""
    return render_template_string(ABSENT, message=message, rows=absent_rows().items())
