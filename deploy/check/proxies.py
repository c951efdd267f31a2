"""Runs nginx and Caddy with the files of this folder before a demo server, and checks what must hold through them.

`just check-proxies` calls it. It needs nginx, caddy, curl and openssl, and Linux: the client has an address of its own on
the loopback interface, so that it can be told apart from the proxy.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

DEPLOY = pathlib.Path(__file__).resolve().parents[1]
SELLER, ADMIN, BOLETO = "painel.example.com", "admin.example.com", "boleto.example.com"
# nginx and Caddy reach the program from 127.0.0.1, the only proxy that it trusts. The client has another address.
CLIENT = "127.0.0.9"
PASSWORD = "demonstracao-1"
SECRET = "5f6e7a523c1d4b8e9a702d1f0c4b6e81"
KIB, MIB = 1024, 1024 * 1024
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
}

failures = []


def check(what, holds, seen=""):
    print(f"  {'ok    ' if holds else 'FAILED'}  {what}{'' if holds else f': {seen}'}", flush=True)
    if not holds:
        failures.append(what)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(condition, what, seconds=60):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            sys.exit(f"after {seconds} s still without {what}")
        time.sleep(0.1)
    return found


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextlib.contextmanager
def process(command, folder, **options):
    output = open(folder / "output", "wb")  # noqa: SIM115
    running = subprocess.Popen(command, stdout=output, stderr=output, cwd=folder, **options)
    try:
        yield running
    finally:
        running.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(20)
        running.kill()
        output.close()


@contextlib.contextmanager
def demo_server(razao, folder):
    """The program with the demo's data; its address and that of its operators' port."""
    folder.mkdir()
    environment = os.environ | {
        "RAZAO_SELLER_HOSTS": f"{SELLER},{BOLETO}",
        "RAZAO_ADMIN_HOSTS": ADMIN,
        "RAZAO_BOLETO_HOST": BOLETO,
        "RAZAO_TRUSTED_PROXIES": "127.0.0.1",
        "RAZAO_UI": str(DEPLOY.parent / "ui/dist"),
    }
    with process([razao, "demo-server"], folder, env=environment) as running:
        def port(name):
            if running.poll() is not None:
                sys.exit((folder / "output").read_text())
            found = re.search(rf"^{name} .*?:(\d+)", (folder / "output").read_text(), re.MULTILINE)
            return found and int(found[1])

        operators = until(lambda: port("Operations"), "the demo server", 300)
        yield running, port("Seller panel"), operators


def certificate(folder):
    """A self-signed certificate for the hosts of the files."""
    names = ",".join(f"DNS:{host}" for host in (SELLER, ADMIN, BOLETO))
    files = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=check", *files]
    subprocess.run([*command, "-addext", f"subjectAltName={names}"], check=True, capture_output=True)
    return folder / "fullchain.pem", folder / "privkey.pem"


def nginx(folder, ports, certificates):
    text = (DEPLOY / "nginx/razao.conf").read_text()
    for old, new in {
        "127.0.0.1:8080": f"127.0.0.1:{ports['program']}",
        "[::]:443": f"[::1]:{ports['https']}",
        "[::]:80": f"[::1]:{ports['http']}",
        "listen 443": f"listen {ports['https']}",
        "listen 80": f"listen {ports['http']}",
        "/etc/ssl/razao/fullchain.pem": str(certificates[0]),
        "/etc/ssl/razao/privkey.pem": str(certificates[1]),
        "/var/log/nginx": str(folder),
    }.items():
        assert old in text, f"nginx/razao.conf has no {old}"
        text = text.replace(old, new)
    (folder / "razao.conf").write_text(text)
    temporary = "".join(
        f"{name}_temp_path {folder}/temporary/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "temporary").mkdir()
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; worker_processes 2; events {{}}\n"
        f"http {{ {temporary} include /etc/nginx/mime.types; include {folder}/razao.conf; }}\n"
    )
    return ["nginx", "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def caddy(folder, ports, certificates):
    text = (DEPLOY / "caddy/Caddyfile").read_text()
    for old, new in {
        "127.0.0.1:8080": f"127.0.0.1:{ports['program']}",
        "health_port 8082": f"health_port {ports['operators']}",
        "# tls /etc/ssl/razao/fullchain.pem /etc/ssl/razao/privkey.pem": f"tls {certificates[0]} {certificates[1]}",
        "/var/log/caddy": str(folder),
        "\tservers {": f"\tadmin off\n\thttp_port {ports['http']}\n\thttps_port {ports['https']}\n\tservers {{",
    }.items():
        assert old in text, f"caddy/Caddyfile has no {old}"
        text = text.replace(old, new)
    (folder / "Caddyfile").write_text(text)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


class Client:
    """curl through the proxy."""

    def __init__(self, ports, certificate_file, folder):
        self.ports, self.certificate, self.folder = ports, certificate_file, folder
        self.number = 0

    def __call__(self, host, path, *arguments, data=None, scheme="https"):
        """The status, the headers as a list of pairs, and the body."""
        self.number += 1
        answer = self.folder / f"answer-{self.number}"
        port = self.ports[scheme]
        command = ["curl", "--silent", "--show-error", "--max-time", "120", "--interface", CLIENT]
        command += ["--resolve", f"{host}:{port}:127.0.0.1", "--cacert", str(self.certificate)]
        command += ["--dump-header", "-", "--output", str(answer), *arguments, f"{scheme}://{host}:{port}{path}"]
        if data is not None:
            file = self.folder / "body"
            file.write_bytes(data)
            command += ["--data-binary", f"@{file}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not done.stdout:
            return 0, [], done.stderr
        # A `100 Continue` comes before the answer.
        head = done.stdout.strip().split("\n\n")[-1].replace("\r", "")
        head = head.split("\n")
        starts = [at for at, line in enumerate(head) if line.startswith("HTTP/")]
        first, *lines = [line for line in head[starts[-1] :] if line]
        pairs = [(name.lower(), value) for name, _, value in (line.partition(": ") for line in lines)]
        pairs.append(("protocol", first.split()[0]))
        body = answer.read_bytes() if answer.exists() else b""
        return int(first.split()[1]), pairs, body

    def json(self, host, path, form, *arguments):
        kind = ["-H", "content-type: application/json"]
        return self(host, path, *kind, *arguments, data=json.dumps(form).encode())

    def sign_in(self, host, path, email, *arguments):
        status, _, body = self.json(host, path, {"email": email, "password": PASSWORD}, *arguments)
        assert status == 200, (status, body)
        return ["-H", f"Authorization: Bearer {json.loads(body)['access_token']}"]


def values(headers, name):
    return [value for found, value in headers if found == name]


def problem(answer, status):
    """Whether an answer is a problem document with a text for the user."""
    found, headers, body = answer
    kind = values(headers, "content-type")
    # The program's answers to machines have no headers for browsers.
    once = all(len(values(headers, name)) <= 1 for name in HEADERS)
    return found == status and kind == ["application/problem+json"] and once and bool(json.loads(body)["message"])


def check_headers(client):
    for host, path in (
        (SELLER, "/"),
        (SELLER, "/vendas"),
        (ADMIN, "/"),
        (BOLETO, "/"),
        (SELLER, "/favicon.svg"),
        (SELLER, "/api/transactions"),
        (SELLER, "/api/nothing"),
        (ADMIN, "/api/docs"),
    ):
        _, headers, _ = client(host, path)
        wrong = {name: values(headers, name) for name, value in HEADERS.items() if values(headers, name) != [value]}
        policies = values(headers, "content-security-policy")
        caching = values(headers, "cache-control")
        once = not wrong and len(policies) == 1 and len(caching) == 1
        check(f"each security header arrives once from {host}{path}", once, (wrong, policies, caching))
        told = [value for name in ("server", "x-powered-by", "via") for value in values(headers, name)]
        check(f"no version of the proxy from {host}{path}", not re.search(r"\d", "".join(told)), told)


def check_limits(client, staff, collects_bodies):
    form = b'{"email":"a@b.c","password":"%s"}'
    json_kind = ["-H", "content-type: application/json"]
    for size, fits in ((64 * KIB, True), (64 * KIB + 1, False)):
        body = form % (b"x" * (size - len(form) + 2))
        answer = client(SELLER, "/api/auth/sign-in", *json_kind, data=body)
        good = answer[0] == 422 if fits else problem(answer, 413)
        check(f"a form of {size} bytes {'is read' if fits else 'is a 413'}", good, answer)
    for size, fits in ((4 * MIB, True), (4 * MIB + 1, False)):
        signature = ["-H", "x-signature: 0", *json_kind]
        answer = client(SELLER, "/api/webhooks/zoop", *signature, data=b"x" * size)
        good = answer[0] == 401 if fits else problem(answer, 413)
        check(f"notices of {size} bytes {'are read' if fits else 'are a 413'}", good, answer)
    file = ["-H", "content-type: application/octet-stream"]
    for size, fits in ((10 * MIB, True), (10 * MIB + 1, False)):
        answer = client(ADMIN, "/api/admin/settings/logos", "-X", "PUT", *file, *staff, data=b"x" * size)
        good = answer[0] == 422 if fits else problem(answer, 413)
        check(f"a file of {size} bytes {'is read' if fits else 'is a 413'}", good, (answer[0], answer[2][:300]))
    path = "/api/admin/settlements/imports?provider=zoop&name=a.txt"
    answer = client(ADMIN, path, *file, *staff, data=b"x" * (30 * MIB))
    check("a settlement file of 30 MiB is read", answer[0] == 422, (answer[0], answer[2][:300]))
    if collects_bodies:
        # The program alone ends a body after 30 s.
        lines = b"02RETORNO01COBRANCA".ljust(400) + b"\r\n"
        slowly = ["--http1.1", "--limit-rate", "100k", "--max-time", "200"]
        began = time.monotonic()
        answer = client(ADMIN, path, *file, *slowly, *staff, data=lines * 10_000)
        took = time.monotonic() - began
        check("a settlement file that takes 35 s is read", answer[0] != 408 and took > 32, (took, answer[0], answer[2][:300]))


def check_exports(client, seller, staff):
    began = time.monotonic()
    slowly = ["-H", "Accept: text/csv", "--http1.1", "--limit-rate", "200k"]
    status, headers, body = client(ADMIN, "/api/admin/transactions", *slowly, *staff)
    took = time.monotonic() - began
    whole = status == 200 and values(headers, "content-length") in ([], [str(len(body))]) and body.endswith(b"\n")
    check(f"a slow client gets an export of {len(body)} bytes", whole and took > 2, (status, took, headers))
    status, headers, body = client(SELLER, "/api/transactions", "-H", "Accept-Encoding: gzip", *seller)
    check("the program's compression passes", values(headers, "content-encoding") == ["gzip"], headers)


def check_addresses(client, program_output):
    for host, path, mine, email in (
        (SELLER, "/api/auth/sign-in", "/api/sellers/me/sessions", "dona.padaria@exemplo.com.br"),
        (ADMIN, "/api/auth/admin/sign-in", "/api/admin/me/sessions", "proprietaria@exemplo.com.br"),
    ):
        forged = ["-H", "X-Forwarded-For: 203.0.113.66"]
        token = client.sign_in(host, path, email, *forged)
        _, _, body = client(host, mine, *token)
        address = next(each["address"] for each in json.loads(body)["data"] if each["current"])
        check(f"the session at {host} has the client's own address", address == CLIENT, address)
        wrong_door = client.json(SELLER if host == ADMIN else ADMIN, path, {"email": email, "password": PASSWORD})
        check(f"the sign-in of {host} is unknown at the other panel", wrong_door[0] == 404, wrong_door)
    _, headers, _ = client(SELLER, "/api/nothing", "-H", "X-Request-Id: of-the-client")
    given = values(headers, "x-request-id")
    logged = f'"request_id":"{given[0]}"' in program_output.read_text()
    check("the program logs the proxy's request id", len(given) == 1 and logged, given)


def check_tls(client):
    for version, wanted in (("--http2", "2"), ("--http1.1", "1.1")):
        _, headers, _ = client(SELLER, "/api/nothing", version)
        check(f"HTTP/{wanted} over TLS", values(headers, "protocol") == [f"HTTP/{wanted}"], headers)
    status, _, fault = client("other.example.com", "/")
    check("a host that is not ours gets no answer", status == 0, (status, fault))
    status, headers, _ = client(SELLER, "/vendas", scheme="http")
    place = values(headers, "location")
    check("HTTP leads to HTTPS", status in (301, 308) and place[0].startswith(f"https://{SELLER}"), (status, place))
    for path in ("/metrics", "/readyz"):
        check(f"no {path} for the public", client(SELLER, path)[0] == 404)


def send_secrets(client):
    for path in (f"/api/webhooks/zoop/{SECRET}", f"/resetar-senha?token={SECRET}"):
        client(SELLER, path, "-H", f"Referer: https://{SELLER}{path}", data=b"{}" if "webhooks" in path else None)
    # Too large, so that the proxy has something to complain of.
    client(SELLER, f"/api/webhooks/zoop/{SECRET}", data=b"x" * (5 * MIB))


def logs_have(folder, text):
    return [file.name for file in folder.iterdir() if file.is_file() and text.encode() in file.read_bytes()]


def check_through(name, command, razao, folder):
    print(f"\n{name}", flush=True)
    folder.mkdir()
    answers_folder = folder.parent / f"answers-{name}"
    answers_folder.mkdir()
    certificates = certificate(answers_folder)
    with demo_server(razao, folder.parent / f"program-of-{name}") as (program, port, operators):
        ports = {"program": port, "operators": operators, "http": free_port(), "https": free_port()}
        home = os.environ | {"HOME": str(answers_folder), "XDG_DATA_HOME": str(answers_folder)}
        with process(command(folder, ports, certificates), folder, env=home) as proxy:
            def ready():
                if proxy.poll() is not None:
                    sys.exit((folder / "output").read_text())
                return answers(ports["https"])

            until(ready, name)
            client = Client(ports, certificates[0], answers_folder)
            until(lambda: client(SELLER, "/healthz")[0] == 200, "an answer of the program")
            seller = client.sign_in(SELLER, "/api/auth/sign-in", "dona.padaria@exemplo.com.br")
            staff = client.sign_in(ADMIN, "/api/auth/admin/sign-in", "proprietaria@exemplo.com.br")
            check_tls(client)
            check_headers(client)
            check_addresses(client, folder.parent / f"program-of-{name}" / "output")
            check_limits(client, staff, collects_bodies=name == "nginx")
            check_exports(client, seller, staff)
            send_secrets(client)
            program.terminate()
            program.wait(30)
            answer = client(SELLER, "/api/transactions", *seller)
            check("without the program a call is a problem", problem(answer, 503), answer)
            check("it says when to try again", values(answer[1], "retry-after") == ["5"], answer[1])
            status, headers, body = client(SELLER, "/vendas")
            good = status == 503 and values(headers, "content-type")[0].startswith("text/html") and "Serviço" in body.decode()
            check("without the program a page says so", good, (status, headers, body))
            client(SELLER, f"/api/webhooks/zoop/{SECRET}", data=b"{}")
        found = logs_have(folder, SECRET)
        check("no log of the proxy has a secret of a path", not found, found)
        requests = [line for file in folder.glob("*.log") for line in file.read_text().splitlines()]
        check("the proxy logs its requests", len(requests) > 20, len(requests))


def main():
    razao = str(pathlib.Path(sys.argv[1]).resolve())
    for tool in ("nginx", "caddy", "curl", "openssl"):
        if shutil.which(tool) is None:
            sys.exit(f"needs {tool}")
    with tempfile.TemporaryDirectory(prefix="razao-proxies-") as scratch:
        os.chmod(scratch, 0o755)
        for name, command in (("nginx", nginx), ("caddy", caddy)):
            if len(sys.argv) < 3 or name in sys.argv[2:]:
                check_through(name, command, razao, pathlib.Path(scratch) / name)
    if failures:
        sys.exit(f"\n{len(failures)} checks failed")


if __name__ == "__main__":
    main()
