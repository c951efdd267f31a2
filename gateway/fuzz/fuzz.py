"""Runs schemathesis with all checks against a running demo server, as a seller and as staff.

`just fuzz` starts the server and calls this. Each panel's calls are fuzzed on the host of that panel, with the token of
its most powerful demo user. Arguments after the server's URL go to schemathesis.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import requests

HERE = pathlib.Path(__file__).resolve().parent
TEAM = json.loads((HERE / "../../fixtures/story/team.json").read_text())

# Operations that may end the session of their run. They are fuzzed in a separate run with another session.
ENDS_SESSION = {"delete_session", "delete_admin_session", "end_session", "end_admin_session"}


def sign_in(url, panel, host):
    """The access token of the panel's owner."""
    person = next(each for each in TEAM if each["panel"] == panel and owns(each))
    path = "/auth/admin/sign-in" if panel == "admin" else "/auth/sign-in"
    form = {"email": person["email"], "password": person["password"]}
    answer = requests.post(f"{url}/api{path}", json=form, headers={"host": host}, timeout=30)
    answer.raise_for_status()
    return answer.json()["access_token"]


def owns(person):
    return "owner" in person.get("roles", []) or any(each["role"] == "owner" for each in person.get("access", []))


def document_of(url, panel, host, ends_session):
    """The document with the panel's operations in ENDS_SESSION only, or without them."""
    document = requests.get(f"{url}/api/openapi.json", headers={"host": host}, timeout=30).json()
    for path, item in list(document["paths"].items()):
        for method, operation in list(item.items()):
            answers = panel in operation["x-hosts"] or operation["x-hosts"] == ["*"]
            if not answers or (operation["operationId"] in ENDS_SESSION) != ends_session:
                del item[method]
        if not item:
            del document["paths"][path]
    return document


def host_of(url, panel):
    port = url.rsplit(":", 1)[1]
    return f"admin.localhost:{port}" if panel == "admin" else f"localhost:{port}"


def fuzz(url, panel, ends_session, token, arguments):
    host = host_of(url, panel)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{panel}.json"
        file.write_text(json.dumps(document_of(url, panel, host, ends_session)))
        command = ["schemathesis", "--config-file", str(HERE / "schemathesis.toml"), "run", str(file)]
        command += ["--url", f"{url}/api", "--checks", "all", "--header", f"Host: {host}"]
        command += ["--header", f"Authorization: Bearer {token}", *arguments]
        print(f"\n════ {panel}{', operations that end sessions' if ends_session else ''}", flush=True)
        # In the temporary folder, because schemathesis keeps what it found in the working directory.
        code = subprocess.run(command, check=False, cwd=folder).returncode
    if ends_session:
        return code
    me = "/admin/me" if panel == "admin" else "/sellers/me"
    headers = {"host": host, "authorization": f"Bearer {token}"}
    if requests.get(f"{url}/api{me}", headers=headers, timeout=30).status_code != 200:
        print(f"{panel}: the session ended during the run, so later calls were not fuzzed", file=sys.stderr)
        return 1
    return code


if __name__ == "__main__":
    server, *rest = sys.argv[1:]
    server = server.rstrip("/")
    runs = [(panel, ends) for panel in ("seller", "admin") for ends in (False, True)]
    # All sign-ins come first: the failed sign-ins that a run tries use up the rate limit of later ones.
    tokens = [sign_in(server, panel, host_of(server, panel)) for panel, _ in runs]
    codes = [fuzz(server, panel, ends, token, rest) for (panel, ends), token in zip(runs, tokens)]
    sys.exit(max(codes))
