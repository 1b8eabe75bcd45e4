"""Random changes to configuration files: --install either leaves the file alone, or adds the entry and nothing else."""

import os
import random

import pytest

from installing import CLIENTS, SECTIONS, Computer, parse_as, parse_json5
from test_install import files_for

ROUNDS = 100
SEED = int(os.environ.get("BRIDGE_FUZZ_SEED") or random.SystemRandom().randrange(2**32))
PIECES = [b"{", b"}", b"[", b"]", b",", b":", b'"', b"'", b"\\", b"//", b"/*", b"*/", b"\n", b"\r\n", b"#", b"=", b"."]
PIECES += [
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"svc-mcp",
    b"null",
    b'"env"',
    b"[mcp_servers.svc-mcp]\n",
]


def mutate(source, data):
    for _ in range(source.randrange(1, 4)):
        at = source.randrange(len(data) + 1)
        end = min(len(data), at + source.randrange(6))
        choice = source.randrange(3)
        if choice == 0:
            data = data[:at] + source.choice(PIECES) + data[at:]
        elif choice == 1:
            data = data[:at] + data[end:]
        else:
            data = data[:at] + data[at:end] * 2 + data[end:]
    return data


def read(client, data):
    """The values in the file. The bridge edits comments and trailing commas also where the client refuses them."""
    return parse_as(client, data) if client == "codex" else parse_json5(data.decode("utf-8-sig"))


@pytest.mark.parametrize("client", CLIENTS)
def test_a_changed_file_is_left_alone_or_edited_cleanly(tmp_path, client):
    print(f"BRIDGE_FUZZ_SEED={SEED}")  # shown when the test fails
    source = random.Random(f"{SEED} {client}")
    computer = Computer(tmp_path)
    shapes = [text.replace("SECTION", SECTIONS[client]).encode() for text in files_for(client).values()]
    installed = 0
    for _ in range(ROUNDS):
        data = mutate(source, source.choice(shapes))
        path = computer.write(client, data)
        code = computer.install(client)
        if code != 0:
            assert code == 3 and path.read_bytes() == data, data
            continue
        installed += 1
        assert read(client, path.read_bytes())[SECTIONS[client]]["svc-mcp"]["env"]["SVC_API_URL"], data
        had_entry = "svc-mcp" in read(client, data).get(SECTIONS[client], {})
        assert computer.uninstall(client) == 0, data
        assert path.read_bytes() == data or had_entry, data
        for backup in computer.backups(client):
            backup.unlink()
    assert installed > 10
