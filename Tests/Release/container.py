"""The image of a container that has the program and nothing else, as docker and podman load it.

The file has both layouts that they write: OCI's index.json, and Docker's manifest.json for the
same blobs.
"""
import gzip
import hashlib
import io
import json
import tarfile
import time

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# Names of media are OCI's: https://github.com/opencontainers/image-spec
OCI = "application/vnd.oci.image."


def packed(entries, epoch):
    """A tar archive of folders (content None) and of files: path, mode, content."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, mode, content in entries:
            entry = tarfile.TarInfo(path)
            entry.mtime, entry.mode = epoch, mode
            if content is None:
                entry.type = tarfile.DIRTYPE
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def write_image(out, program, licences, version, epoch, machine):
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
    layer = packed([
        ("data", 0o755, None), ("seedbed", 0o755, program), ("LICENSES", 0o644, licences),
    ], epoch)
    blobs = {}

    def blob(content, media):
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = content
        return {"mediaType": OCI + media, "digest": f"sha256:{digest}", "size": len(content)}

    def text(value):
        return json.dumps(value, indent=1).encode()

    of_layer = blob(layer, "layer.v1.tar")
    of_config = blob(text({
        "created": created, "architecture": ARCHITECTURES[machine], "os": "linux",
        "config": {
            "Entrypoint": ["/seedbed"], "WorkingDir": "/data",
            "Labels": {"org.opencontainers.image.version": version,
                       "org.opencontainers.image.licenses": "MIT"}},
        "rootfs": {"type": "layers", "diff_ids": [of_layer["digest"]]},
        "history": [{"created": created, "created_by": "Scripts/release"}],
    }), "config.v1+json")
    of_manifest = blob(text({
        "schemaVersion": 2, "mediaType": OCI + "manifest.v1+json", "config": of_config,
        "layers": [of_layer],
    }), "manifest.v1+json")
    of_manifest["annotations"] = {
        "io.containerd.image.name": f"docker.io/library/seedbed:{version}",
        "org.opencontainers.image.ref.name": version}

    def place(described):
        return "blobs/sha256/" + described["digest"].removeprefix("sha256:")

    files = {
        "oci-layout": text({"imageLayoutVersion": "1.0.0"}),
        "index.json": text({
            "schemaVersion": 2, "mediaType": OCI + "index.v1+json", "manifests": [of_manifest]}),
        "manifest.json": text([{
            "Config": place(of_config), "RepoTags": [f"seedbed:{version}"],
            "Layers": [place(of_layer)]}]),
        **blobs,
    }
    folders = [(folder, 0o755, None) for folder in ("blobs", "blobs/sha256")]
    image = packed(folders + [(path, 0o644, files[path]) for path in sorted(files)], epoch)
    file = out / f"seedbed-{version}-container-linux-{machine}.tar.gz"
    file.write_bytes(gzip.compress(image, 9, mtime=0))
    return file
