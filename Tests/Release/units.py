"""The services and timers for systemd of the page *Many databases*."""
import pathlib
import re
import shutil
import subprocess
import tempfile

from machine import ROOT, must


def units_of_page():
    page = (ROOT / "Sources/Seedbed/Seedbed.docc/ManyDatabases.md").read_text()
    found = dict(re.findall(r"```ini\n# (seedbed\S*)\n(.*?)```", page, flags=re.DOTALL))
    must(sorted(found) == ["seedbed-status.service", "seedbed-status.timer", "seedbed.service",
                           "seedbed.timer"], f"the page has the units {sorted(found)}")
    return found


def try_units(machine):
    """systemd reads them, and their lines do what the page says, in the folder that they name."""
    units = units_of_page()
    if shutil.which("systemd-analyze"):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in units.items():
                # The program is not here, and systemd asks whether it is.
                text = text.replace("/usr/bin/seedbed", "/bin/true")
                pathlib.Path(folder, name).write_text(text)
            done = subprocess.run(
                ["systemd-analyze", "verify", "--man=no", *units], cwd=folder,
                capture_output=True, text=True)
        must(done.returncode == 0 and not done.stderr, f"systemd-analyze: {done.stderr}")
    else:
        print("  without systemd-analyze, which could not be had")
    up, status = (
        re.search(r"(?m)^ExecStart=(.*)$", units[f"{name}.service"]).group(1)
        for name in ("seedbed", "seedbed-status"))
    [place] = set(re.findall(r"(?m)^WorkingDirectory=(.*)$", "".join(units.values())))
    machine.copy(ROOT / "Migrations", f"{place}/Migrations")
    machine.shell("mkdir tenants && for n in 1 2 3; do "
                  "sqlite3 tenants/$n.sqlite 'CREATE TABLE own (id); DROP TABLE own'; done", place)
    must("pending" in machine.shell(f"{status} 2>&1", place, code=1), "nothing is pending")
    must("3 databases" in machine.shell(f"{up} 2>&1", place), "it updates other databases")
    machine.shell(f"{status} 2>&1", place)
