"""What a release has to know of, and to change in, programs and libraries of Linux."""
import hashlib
import pathlib
import re
import struct


def glibc(file):
    """The minor version of the newest glibc that an ELF file needs; 0 if it needs none."""
    data = pathlib.Path(file).read_bytes()
    [start] = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    places = range(start, start + size * count, size)
    sections = [struct.unpack_from("<IIQQQQII", data, place) for place in places]
    newest = 0
    for _, kind, _, _, offset, _, link, entries in sections:
        if kind != 0x6FFFFFFE:  # SHT_GNU_verneed
            continue
        names = sections[link][4]
        for _ in range(entries):
            _, symbols, _, first, step = struct.unpack_from("<HHIII", data, offset)
            at = offset + first
            for _ in range(symbols):
                name, after = struct.unpack_from("<8xII", data, at)
                text = data[names + name:data.index(b"\0", names + name)].decode()
                match = re.fullmatch(r"GLIBC_2\.(\d+)(\.\d+)?", text)
                newest = max(newest, int(match[1]) if match else 0)
                at += after
            offset += step
    return newest


def without_paths(program):
    """The compiler leaves digests of its options, and so of folders, in a section that nothing
    reads, and the linker makes the program's identifier from all bytes. What this returns depends
    on neither."""
    data = bytearray(program)
    [start] = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQ", data, start + size * n) for n in range(count)]
    identifier = None
    for name, _, _, _, offset, length in sections:
        at = sections[names][4] + name
        text = data[at:data.index(b"\0", at)]
        if text == b".swift_modhash":
            data[offset:offset + length] = bytes(length)
        elif text == b".note.gnu.build-id":
            # After three numbers and the name GNU.
            identifier = slice(offset + 16, offset + length)
            data[identifier] = bytes(length - 16)
    if identifier:
        digest = hashlib.sha256(data).digest()
        data[identifier] = digest[:identifier.stop - identifier.start]
    return bytes(data)
