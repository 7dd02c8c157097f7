"""The image of a container, without an engine: unpacked as one would, and run in its folder."""
import hashlib
import io
import json
import shutil
import subprocess
import tarfile

from machine import ROOT, must


def read_image(file):
    """The configuration and the layers, as docker finds them, and as OCI's layout names them."""
    with tarfile.open(file) as archive:
        entries = {
            entry.name: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
    for path, content in entries.items():
        if path.startswith("blobs/"):
            digest = hashlib.sha256(content).hexdigest()
            must(path == f"blobs/sha256/{digest}", f"{path} has other bytes")

    def blob(described):
        content = entries["blobs/sha256/" + described["digest"].removeprefix("sha256:")]
        must(len(content) == described["size"], f"{described} has {len(content)} bytes")
        return content

    must(json.loads(entries["oci-layout"])["imageLayoutVersion"] == "1.0.0", "another layout")
    [described] = json.loads(entries["index.json"])["manifests"]
    manifest = json.loads(blob(described))
    [of_docker] = json.loads(entries["manifest.json"])
    config, layers = blob(manifest["config"]), [blob(layer) for layer in manifest["layers"]]
    must(config == entries[of_docker["Config"]], "docker finds another configuration")
    must(layers == [entries[path] for path in of_docker["Layers"]], "docker finds other layers")
    config = json.loads(config)
    digests = ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in layers]
    must(config["rootfs"]["diff_ids"] == digests, "the configuration names other layers")
    return config, layers, of_docker["RepoTags"]


def try_container(machine, out):
    config, layers, tags = read_image(machine.platform.image(out))
    for layer in layers:
        tarfile.open(fileobj=io.BytesIO(layer)).extractall(machine.folder)
    left = sorted(file.name for file in machine.folder.iterdir() if file.name != "proc")
    must(left == ["LICENSES", "data", "seedbed"], f"the image has {left}")
    page = (ROOT / "Documentation" / "Install.md").read_text()
    must(f" {tags[0]} up" in page, f"the page does not run {tags[0]}")
    settings = config["config"]
    shutil.copytree(ROOT / "Migrations", machine.folder / "data" / "Migrations")

    def run(*words):
        # As engines do: into the root, and there into the folder of the image.
        done = subprocess.run(
            ["unshare", f"--root={machine.folder}", f"--wd={settings['WorkingDir']}",
             *settings["Entrypoint"], *words], env={}, capture_output=True, text=True)
        must(done.returncode == 0, done.stdout + done.stderr)
        return done.stdout

    must("Database is at 4" in run("up"), "it did not fill the database")
    must((machine.folder / "data" / "app.sqlite").is_file(), "the database is not in /data")
    subprocess.run(["umount", machine.folder / "proc"], check=True)
    must("Nothing to do" in run("up"), "without /proc it does something else")
