"""The vendors at their own addresses: behind a proxy that stands in for the whole network."""

import contextlib
import re
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

_ASKED: Final = re.compile(rb"CONNECT ([\w.-]+):443 ")


@contextlib.contextmanager
def standing_in(urls: Mapping[str, str], certificate: Path) -> Iterator[str]:
    """Run a proxy that leads from the addresses of vendors to others; give its own address.

    Args:
        urls: Where each host is to be looked for.
        certificate: A file to be made: the certificate that vouches for all of these.
    """
    _write_certificate(certificate, sorted(urls))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=_listen, args=(listener, context, urls))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _write_certificate(file: Path, hosts: list[str]) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, hosts[0])])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2120, 1, 1, tzinfo=UTC))
        .add_extension(x509.SubjectAlternativeName([*map(x509.DNSName, hosts)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(secret + made.public_bytes(Encoding.PEM))


def _listen(listener: socket.socket, context: ssl.SSLContext, urls: Mapping[str, str]) -> None:
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_serve, args=(client, context, urls), daemon=True).start()


def _serve(client: socket.socket, context: ssl.SSLContext, urls: Mapping[str, str]) -> None:
    with client, contextlib.suppress(OSError):
        asked = _ASKED.match(client.recv(65_536))
        url = urls.get(asked[1].decode()) if asked else None
        if url is None:
            client.sendall(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")
            return
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        where = urlsplit(url)
        with (
            context.wrap_socket(client, server_side=True) as inside,
            socket.create_connection((where.hostname or "", where.port or 80)) as vendor,
        ):
            back = threading.Thread(target=_pass_on, args=(vendor, inside), daemon=True)
            back.start()
            _pass_on(inside, vendor)
            back.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65_536):
            target.sendall(chunk)
        target.shutdown(socket.SHUT_WR)
