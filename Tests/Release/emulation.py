"""Programs for another processor run here by their names while the kernel hands them to qemu."""
import contextlib
import pathlib
import signal
import subprocess
import sys

KERNEL = pathlib.Path("/proc/sys/fs/binfmt_misc")


@contextlib.contextmanager
def emulated(platform):
    """Within this. The mount is seen in this process's namespace only, the entry everywhere."""
    if not platform.is_crossed:
        yield
        return
    if not (KERNEL / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", KERNEL], check=True)
    name = f"qemu-{platform.machine}"
    if (KERNEL / name).exists():
        yield
        return
    # As qemu's package has it. The kernel keeps qemu open, so roots need not have it.
    [line] = pathlib.Path(f"/usr/lib/binfmt.d/{name}.conf").read_text().splitlines()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    (KERNEL / "register").write_text(line)
    try:
        yield
    finally:
        (KERNEL / name).write_text("-1")
