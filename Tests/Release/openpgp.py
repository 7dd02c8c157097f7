"""The key of a release, and its signature of a file, in the format that apt reads (RFC 4880, with
Ed25519 as in RFC 9580's section 5.5.5.5 for keys of version 4): one key for all that is signed.
"""
import base64
import hashlib
import struct

ED25519 = bytes.fromhex("092b06010401da470f01")  # The curve's name, after its length.
EDDSA, SHA512, BINARY, CERTIFICATION = 22, 10, 0x00, 0x13
USER = b"Seedbed releases"
# Part of the key's fingerprint, and so the same for ever: 2026-01-01.
KEY_CREATED = 1_767_225_600


def packet(tag, body):
    return bytes([0xC0 | tag, 0xFF]) + struct.pack(">I", len(body)) + body


def number(content):
    """A number of any size, after its length in bits."""
    content = content.lstrip(b"\0")
    bits = len(content) * 8 - (8 - content[0].bit_length())
    return struct.pack(">H", bits) + content


def subpacket(kind, content):
    return bytes([len(content) + 1, kind]) + content


def checksum(content):
    """CRC-24 of a signature as text, as section 6.1 has it: gpgv complains if it is not there."""
    value = 0xB704CE
    for byte in content:
        value ^= byte << 16
        for _ in range(8):
            value <<= 1
            if value & 0x1000000:
                value ^= 0x1864CFB
    return value.to_bytes(3, "big")


class Key:
    """A public key of 32 bytes, and what signs with its private part."""

    def __init__(self, public, sign):
        self.body = (b"\x04" + struct.pack(">IB", KEY_CREATED, EDDSA) + ED25519
                     + number(b"\x40" + public))
        self.framed = b"\x99" + struct.pack(">H", len(self.body)) + self.body
        self.fingerprint = hashlib.sha1(self.framed).digest()
        self.sign = sign

    def signature(self, kind, content, created, more=b""):
        hashed = (subpacket(33, b"\x04" + self.fingerprint)
                  + subpacket(2, struct.pack(">I", created)) + more)
        head = bytes([4, kind, EDDSA, SHA512]) + struct.pack(">H", len(hashed)) + hashed
        trailer = b"\x04\xff" + struct.pack(">I", len(head))
        digest = hashlib.sha512(content + head + trailer).digest()
        issuer = subpacket(16, self.fingerprint[-8:])
        signed = self.sign(digest)
        return packet(2, head + struct.pack(">H", len(issuer)) + issuer + digest[:2]
                      + number(signed[:32]) + number(signed[32:]))

    def keyring(self):
        """The key, a name, and its own signature that both belong together."""
        content = self.framed + b"\xb4" + struct.pack(">I", len(USER)) + USER
        may_sign = subpacket(27, b"\x03")
        return (packet(6, self.body) + packet(13, USER)
                + self.signature(CERTIFICATION, content, KEY_CREATED, may_sign))

    def detached(self, content, created):
        """As text, since apt takes no other."""
        signature = self.signature(BINARY, content, created)
        text = base64.b64encode(signature)
        lines = [text[at:at + 64] for at in range(0, len(text), 64)]
        lines.append(b"=" + base64.b64encode(checksum(signature)))
        return b"\n".join([b"-----BEGIN PGP SIGNATURE-----", b"", *lines,
                           b"-----END PGP SIGNATURE-----", b""])
