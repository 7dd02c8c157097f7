"""The signatures of a release: Ed25519, with a key of the kind that 'migrate sign' makes.

OpenSSL signs. The same key and bytes give the same signature.
"""
import base64
import calendar
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import openpgp


def refuse(sentence):
    print(f"release: {sentence}", file=sys.stderr)
    sys.exit(1)


def openssl(*words):
    return subprocess.run(["openssl", *map(str, words)], capture_output=True)


def public_key(key):
    """The public key of the private one in a file, as PEM."""
    if not key.is_file():
        refuse(f"'{key}' is no file. Make a key: migrate sign --new-key {key}")
    text = openssl("pkey", "-in", key, "-passin", "pass:", "-pubout", "-text")
    if text.returncode != 0 or b"ED25519 Public-Key" not in text.stdout:
        refuse(f"'{key}' holds no private key for Ed25519 without a passphrase.")
    end = b"-----END PUBLIC KEY-----\n"
    return text.stdout[:text.stdout.index(end)] + end


def raw(public):
    """The 32 bytes of a public key."""
    return base64.b64decode(b"".join(public.splitlines()[1:-1]))[-32:]


def signed(key, content):
    """The 64 bytes of the signature."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "content").write_bytes(content)
        done = openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", folder / "content",
                       "-out", folder / "signature")
        if done.returncode != 0:
            refuse(f"openssl did not sign: {done.stderr.decode()}")
        return (folder / "signature").read_bytes()


def sign(out, key):
    """Signs SHA256SUMS for openssl and Release for apt; returns the public key as text."""
    public = public_key(key)
    (out / "seedbed-release.pem").write_bytes(public)
    (out / "SHA256SUMS.sig").write_bytes(signed(key, (out / "SHA256SUMS").read_bytes()))
    release = (out / "Release").read_bytes()
    moment = re.search(r"(?m)^Date: (.*) \+0000$", release.decode()).group(1)
    created = calendar.timegm(time.strptime(moment, "%a, %d %b %Y %H:%M:%S"))
    of_apt = openpgp.Key(raw(public), lambda content: signed(key, content))
    (out / "seedbed-release.gpg").write_bytes(of_apt.keyring())
    (out / "Release.gpg").write_bytes(of_apt.detached(release, created))
    return "ed25519:" + base64.b64encode(raw(public)).decode()
