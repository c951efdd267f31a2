#!/usr/bin/env python3
"""Checks deploy/grafana and deploy/alerts against the metrics of the program and the runbook.

    check-observability.py METRICS    # the address of /metrics, or a file with its answer

- Each dashboard has the shape that Grafana imports: panels with ids of their own, places that do not overlap, targets.
- Each metric that a dashboard or a rule reads is in the answer, and each label that it selects by.
- Each rule has its duration, severity, summary, and a page of the runbook whose anchor exists.

It needs only Python's standard library. The rules' syntax is promtool's affair.
"""

import json
import re
import sys
from pathlib import Path
from urllib.request import urlopen

DEPLOY = Path(__file__).resolve().parent
RUNBOOK = DEPLOY.parent / "docs" / "operations" / "runbook.md"
RUNBOOK_URL = "docs/operations/runbook.md#"
# What Prometheus itself adds.
FROM_PROMETHEUS = {"up"}
LABELS_OF_PROMETHEUS = {"job", "instance", "le", "quantile"}
# Of PromQL's words, those that could be taken for a metric: our names begin with these.
METRIC = re.compile(r"\b((?:razao|process)_[a-z_]+|up)\b(\{[^}]*\})?")
SEVERITIES = {"critical", "warning"}

faults = []


def fault(where, what):
    faults.append(f"{where}: {what}")


def read_metrics(source):
    """The names of the families, and for each name of a sample the labels that it has."""
    families, labels = {}, {}
    is_address = source.startswith(("http://", "https://"))
    text = urlopen(source, timeout=10).read().decode() if is_address else Path(source).read_text()
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            families[name] = kind
        elif line and not line.startswith("#"):
            name = re.split(r"[{ ]", line, maxsplit=1)[0]
            labels.setdefault(name, set()).update(re.findall(r'([a-z_]+)="', line))
    names = set(families)
    for name, kind in families.items():
        if kind in ("histogram", "summary"):
            names |= {f"{name}_sum", f"{name}_count"}
        if kind == "histogram":
            names.add(f"{name}_bucket")
    return names, labels


def check_expression(where, expression, names, labels):
    found = METRIC.findall(expression)
    if not found:
        fault(where, f"reads no metric: {expression}")
    for name, selector in found:
        if name not in names | FROM_PROMETHEUS:
            fault(where, f"{name} is not in the program's metrics")
            continue
        selected = set(re.findall(r'([a-z_]+)\s*(?:=~|!~|!=|=)\s*"', selector))
        # A family without a sample has labels that nobody has seen yet.
        unknown = selected - LABELS_OF_PROMETHEUS - labels.get(name, selected)
        for label in sorted(unknown):
            fault(where, f"{name} has no label {label}")


def check_dashboard(path, names, labels):
    dashboard = json.loads(path.read_text())
    name = path.name
    for key, kind in {
        "uid": str,
        "title": str,
        "schemaVersion": int,
        "version": int,
        "panels": list,
        "templating": dict,
        "time": dict,
        "annotations": dict,
        "tags": list,
    }.items():
        if not isinstance(dashboard.get(key), kind):
            fault(name, f"{key} is not a {kind.__name__}")
    if faults:
        return
    if dashboard["schemaVersion"] < 36:
        fault(name, "schemaVersion is older than data sources by uid")
    variables = {variable.get("name"): variable for variable in dashboard["templating"].get("list", [])}
    if variables.get("datasource", {}).get("type") != "datasource":
        fault(name, "has no variable for its data source")
    ids, places = set(), []
    for panel in dashboard["panels"]:
        where = f"{name}: {panel.get('title')!r}"
        if not isinstance(panel.get("id"), int) or panel["id"] in ids:
            fault(where, f"the id {panel.get('id')} is not a number of its own")
        ids.add(panel.get("id"))
        place = panel.get("gridPos", {})
        if not all(isinstance(place.get(key), int) for key in "xywh"):
            fault(where, "gridPos is not x, y, w, h")
            continue
        if place["x"] < 0 or place["x"] + place["w"] > 24 or place["h"] < 1 or place["w"] < 1:
            fault(where, "is outside of the 24 columns")
        for other, taken in places:
            if (
                place["x"] < taken["x"] + taken["w"]
                and taken["x"] < place["x"] + place["w"]
                and place["y"] < taken["y"] + taken["h"]
                and taken["y"] < place["y"] + place["h"]
            ):
                fault(where, f"lies over {other!r}")
        places.append((panel.get("title"), place))
        if not panel.get("title"):
            fault(where, "has no title")
        if panel.get("type") == "row":
            continue
        check_panel(where, panel, variables, names, labels)


def check_panel(where, panel, variables, names, labels):
    if not panel.get("description"):
        fault(where, "has no description")
    if not panel.get("fieldConfig", {}).get("defaults", {}).get("unit"):
        fault(where, "has no unit")
    if panel.get("datasource", {}).get("uid") != "${datasource}":
        fault(where, "does not use the data source of the variable")
    references = [target.get("refId") for target in panel.get("targets", [])]
    if not references or len(set(references)) != len(references):
        fault(where, "has no targets, or two with one refId")
    for target in panel.get("targets", []):
        expression = target.get("expr", "")
        check_expression(where, expression, names, labels)
        for used in re.findall(r"\$\{?([a-z]+)\}?", expression):
            if used not in variables:
                fault(where, f"${used} is not a variable")


def anchors(path):
    """The anchors of the headings, as GitHub makes them."""
    found = set()
    for line in path.read_text().splitlines():
        if heading := re.match(r"#+ (.*)", line):
            text = re.sub(r"[^\w\- ]", "", heading.group(1).lower())
            found.add(text.replace(" ", "-"))
    return found


def read_rules(path):
    """The rules of a file, by the few forms of YAML that it uses. `promtool check rules` reads it as a whole."""
    rules, rule, block = [], None, None
    for line in path.read_text().splitlines():
        indent = len(line) - len(line.lstrip())
        if begin := re.match(r"\s*- alert: (\S+)$", line):
            rule, block = {"alert": begin.group(1)}, None
            rules.append(rule)
        elif rule is None or not line.strip() or line.strip().startswith("#"):
            continue
        elif block and indent > block[1]:
            rule[block[0]] += " " + line.strip()
        elif pair := re.match(r"\s*(expr|for|severity|summary|description|runbook_url): ?(.*)$", line):
            key, value = pair.groups()
            block = (key, indent) if value in (">-", ">", "|") else None
            rule[key] = "" if block else value.strip("'\"")
    return rules


def check_rules(path, names, labels):
    known = anchors(RUNBOOK)
    rules = read_rules(path)
    if len({rule["alert"] for rule in rules}) != len(rules) or not rules:
        fault(path.name, "has no rules, or two with one name")
    tests = path.with_name(path.name.replace(".rules.", ".test.")).read_text()
    for rule in rules:
        where = f"{path.name}: {rule['alert']}"
        for key in ("expr", "for", "severity", "summary", "runbook_url"):
            if not rule.get(key):
                fault(where, f"has no {key}")
        check_expression(where, rule.get("expr", ""), names, labels)
        if rule.get("severity") not in SEVERITIES:
            fault(where, f"its severity is none of {sorted(SEVERITIES)}")
        before, _, anchor = rule.get("runbook_url", "").partition(RUNBOOK_URL)
        if not anchor or anchor not in known:
            fault(where, f"the runbook has no page {before}{RUNBOOK_URL}{anchor}")
        if f"`{rule['alert']}`" not in RUNBOOK.read_text():
            fault(where, "the runbook does not name it")
        if f"alertname: {rule['alert']}\n" not in tests:
            fault(where, "has no test")
    return len(rules)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    names, labels = read_metrics(sys.argv[1])
    dashboards = sorted((DEPLOY / "grafana").glob("*.json"))
    for path in dashboards:
        check_dashboard(path, names, labels)
    rules = check_rules(DEPLOY / "alerts" / "razao.rules.yml", names, labels)
    for line in faults:
        print(line, file=sys.stderr)
    if faults:
        sys.exit(1)
    print(f"{len(dashboards)} dashboards and {rules} rules agree with {len(names)} metrics and the runbook")


main()
