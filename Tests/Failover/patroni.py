"""Two PostgreSQL servers that Patroni keeps, with a third voter, and a PgBouncer before them."""
import contextlib
import glob
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PROGRAMS = pathlib.Path(sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))[-1]).parent
# The shortest that Patroni permits: a leader that is gone is missed after so many seconds.
SETTINGS = """\
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: {{wal_log_hints: "on", fsync: "off", max_connections: 40}}
  initdb: [{{encoding: UTF8}}, {{locale: C.UTF-8}}, {{auth: trust}}]
scope: seedbed
name: member{number}
restapi: {{listen: "127.0.0.1:{rest}", connect_address: "127.0.0.1:{rest}"}}
raft: {{data_dir: {folder}/raft{number}, self_addr: "127.0.0.1:{raft}", partner_addrs: [{partners}]}}
postgresql:
  listen: 127.0.0.1:{port}
  connect_address: 127.0.0.1:{port}
  data_dir: {folder}/data{number}
  bin_dir: {programs}
  pgpass: {folder}/pgpass{number}
  pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust",
           "host replication all 127.0.0.1/32 trust"]
  parameters: {{unix_socket_directories: {folder}}}
  authentication:
    superuser: {{username: postgres, password: secret}}
    replication: {{username: copier, password: secret}}
"""
POOLER = """\
[databases]
* = host=127.0.0.1 port={port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
auth_type = any
pool_mode = session
ignore_startup_parameters = extra_float_digits,options,search_path
logfile = {folder}/pooler.log
unix_socket_dir =
server_check_delay = 0
"""


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait(what, condition, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            found = condition()
            if found is not None and found is not False:
                return found
        time.sleep(0.1)
    raise TimeoutError(f"waited {seconds} s for {what}")


class Servers:
    """Started as a context, and gone after it."""

    def __init__(self, tools):
        self.tools = pathlib.Path(tools)
        self.user = pwd.getpwnam("postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid())[0])

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="seedbed-patroni-", dir="/tmp"))
        os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.raft = [free_port() for _ in range(3)]
        self.rest, self.ports = [[free_port() for _ in range(2)] for _ in range(2)]
        self.running, self.pooler, self.own = {}, None, free_port()
        self.start(2)
        for number in (0, 1):
            self.start(number)
            wait("the first leader", lambda: self.leader() is not None)
        self.wait_for_both()
        self.route()
        return self

    def __exit__(self, *_):
        for process in [self.pooler, *self.running.values()]:
            process.kill()
        for number in (0, 1):
            self.kill_server(number)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words):
        """As a user under whom PostgreSQL runs."""
        if os.getuid() == 0:
            words = ["setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}",
                     "--clear-groups", *words]
        log = open(self.folder / "log", "ab")
        return subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=log,
                                stderr=log, cwd="/", env={"PATH": os.environ["PATH"]})

    def start(self, number):
        partners = [f'"127.0.0.1:{port}"' for port in self.raft if port != self.raft[number]]
        settings = self.folder / f"member{number}.yml"
        settings.write_text(SETTINGS.format(
            number=number, folder=self.folder, programs=PROGRAMS, partners=", ".join(partners),
            raft=self.raft[number], rest=self.rest[number % 2], port=self.ports[number % 2]))
        program = "patroni" if number < 2 else "patroni_raft_controller"
        self.running[number] = self.run(self.tools / program, settings)

    def answers(self, number, role):
        try:
            place = f"http://127.0.0.1:{self.rest[number]}/{role}"
            with urllib.request.urlopen(place, timeout=2) as answer:
                return answer.status == 200
        except urllib.error.HTTPError:
            return False
        except OSError:
            return False

    def leader(self):
        return next((number for number in (0, 1) if self.answers(number, "primary")), None)

    def wait_for_both(self):
        """A COMMIT waits for the other one from now on."""
        wait("a synchronous standby", lambda: any(self.answers(n, "sync") for n in (0, 1)))

    def kill_server(self, number):
        with contextlib.suppress(OSError, IndexError):
            lines = (self.folder / f"data{number}" / "postmaster.pid").read_text().splitlines()
            os.kill(int(lines[0]), signal.SIGKILL)

    def kill(self, number):
        """The machine is gone: Patroni and its server."""
        self.running[number].kill()
        self.kill_server(number)
        self.running[number].wait()

    def route(self):
        """What whoever keeps a pooler does when another server leads."""
        self.wanted = self.leader()
        settings = self.folder / "pooler.ini"
        settings.write_text(POOLER.format(
            port=self.ports[self.wanted], own=self.own, folder=self.folder))
        if self.pooler:
            self.pooler.send_signal(signal.SIGHUP)
        else:
            self.pooler = self.run("/usr/sbin/pgbouncer", settings)

    def url(self, database, pooled):
        if pooled:
            return f"postgresql://postgres@127.0.0.1:{self.own}/{database}"
        places = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return f"postgresql://postgres@{places}/{database}?target_session_attrs=read-write"
