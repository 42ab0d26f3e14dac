import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from rove_core.errors import MalformedReply, Unavailable
from rove_core.http import Http
from rove_core.testing.clock import VirtualClock

pytestmark = pytest.mark.anyio


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Give a file with a key and a certificate of 127.0.0.1 that nobody else vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    here = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2120, 1, 1, tzinfo=UTC))
        .add_extension(here, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    file = tmp_path / "server.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(secret + made.public_bytes(Encoding.PEM))
    return file


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer an empty object, or lead away from TLS."""
        self.send_response(302 if self.path == "/down" else 200)
        self.send_header("location", "http://127.0.0.1/")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        """Say nothing."""


@pytest.fixture
def url(certificate: Path) -> Iterator[str]:
    """Give the address of a server with that certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with HTTPServer(("127.0.0.1", 0), _Answer) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"https://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


async def test_a_certificate_that_nobody_vouches_for_is_refused(
    url: str, client: Callable[..., Http]
) -> None:
    """Most often it is that of a company's proxy, so the hint names the variable."""
    with pytest.raises(Unavailable) as caught:
        await client(url, clock=VirtualClock()).get("thing")
    assert "SSL_CERT_FILE" in caught.value.hint


async def test_a_company_may_have_a_ca_of_its_own(
    url: str,
    client: Callable[..., Http],
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The environment names it."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    assert (await client(url).get("thing")).json() == {}


async def test_tls_is_never_left(
    url: str,
    client: Callable[..., Http],
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A redirect to plain http is not followed, not even without the login."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with pytest.raises(MalformedReply, match="redirects to plain http: not followed"):
        await client(url).get("down")
