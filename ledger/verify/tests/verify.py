#!/usr/bin/env python3
"""Checks proofs with Python's standard library and none of our code. docs/proof-format.md has the rules, by section.

    verify.py --key HEX [--key HEX] [--witness VKEY]... FILE...

It prints a line of JSON for each file, and exits with 1 if a file is invalid."""
import argparse, base64, collections, datetime, json, re, sys
from hashlib import sha256, sha512

MAX = 2**53 - 1  # Readers of JSON need not agree on larger numbers (RFC 8259, section 6).
class Invalid(Exception): pass

def need(condition, reason):
    if not condition:
        raise Invalid(reason)

def members(value, what, *names):
    need(isinstance(value, dict) and set(value) == set(names), f"{what} must have exactly: {', '.join(names)}")
    return [value[name] for name in names]

def number(value, what, low=-MAX, high=MAX):
    need(type(value) is int and low <= value <= high, f"{what} is not an integer in its range")
    return value

def text(value, what, pattern=r"(?s:.*)"):
    need(isinstance(value, str) and re.fullmatch(pattern, value), f"{what} is not a text of its form")
    return value.encode()  # A ValueError if a surrogate has no other half.

def hexa(value, what, length):
    return bytes.fromhex(text(value, what, "[0-9a-f]{%d}" % (2 * length)).decode())

def uuid(value, prefix):
    text(value, f"an id of {prefix}", prefix + "_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
    return bytes.fromhex(value[4:].replace("-", ""))

def base64_of(value, what, length=None):
    raw = base64.b64decode(value, validate=True)
    need(base64.b64encode(raw).decode() == value and length in (None, len(raw)), f"{what} is no such base64")
    return raw

def load(document):
    def unique(pairs):
        need(len(dict(pairs)) == len(pairs), "an object has a member twice")
        return dict(pairs)
    return json.loads(document, object_pairs_hook=unique, parse_constant=lambda name: need(False, f"{name} in JSON"))

# Ed25519 (RFC 8032, sections 5.1 and 5.1.7), with plain coordinates: slow, and short.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

def add(a, b):
    (x1, y1), (x2, y2) = a, b
    both = D * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) * pow(1 + both, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - both, -1, P) % P

def times(n, point):
    total = (0, 1)
    while n:
        total, point, n = add(total, point) if n & 1 else total, add(point, point), n >> 1
    return total

def point_of(encoded):
    y, odd = int.from_bytes(encoded, "little") % 2**255, encoded[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    need(y < P and x * x % P == square and not (x == 0 and odd), "a key or signature is no point of the curve")
    return (x if x % 2 == odd else P - x), y

BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))

def signed(public, message, signature, what):
    need(len(signature) == 64, f"{what} has another length")
    s, hashed = int.from_bytes(signature[32:], "little"), sha512(signature[:32] + public + message).digest()
    right = add(point_of(signature[:32]), times(int.from_bytes(hashed, "little") % L, point_of(public)))
    need(s < L and times(s, BASE) == right, f"{what} does not match the checkpoint")

# Trees (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
def node_of(left, right): return sha256(b"\1" + left + right).digest()

def climb(index, last, path):
    """The nodes of a path, with whether each stands to the left of what is known so far."""
    for node in path:
        need(last > 0, "a path is too long")
        left = index % 2 == 1 or index == last
        while left and index % 2 == 0 and index > 0:
            index, last = index >> 1, last >> 1
        index, last = index >> 1, last >> 1
        yield node, left
    need(last == 0, "a path is too short")

def path_of(value):
    need(isinstance(value, list), "a path is not a list")
    return [hexa(node, "a node of a path", 32) for node in value]

def leads_to_root(data, index, size, path, root):
    found = sha256(b"\0" + data).digest()
    for node, left in climb(number(index, "the index of a leaf", 0, size - 1), size - 1, path_of(path)):
        found = node_of(node, found) if left else node_of(found, node)
    need(found == root, "a path does not lead to the root")

def grows(earlier, later, path):
    need(earlier.origin == later.origin and earlier.size <= later.size, "the earlier checkpoint is no earlier one")
    if earlier.size == later.size:
        return need(path == [] and earlier.root == later.root, "two checkpoints of one size differ")
    index, last = earlier.size - 1, later.size - 1
    path = [earlier.root] * (earlier.size & index == 0) + path_of(path)
    need(path, "a path is too short")
    while index % 2 == 1:
        index, last = index >> 1, last >> 1
    old = new = path[0]
    for node, left in climb(index, last, path[1:]):
        old, new = (node_of(node, old), node_of(node, new)) if left else (old, node_of(new, node))
    need((old, new) == (earlier.root, later.root), "the later tree does not contain the earlier one")

# Checkpoints.
Note = collections.namedtuple("Note", "origin size root companies companies_root made_at witnesses")
LINES = (r"([^ +\n]+/shard/(?:[0-9]|1[0-5]))\n([1-9][0-9]{0,15})\n(\S+)\ncompanies ([1-9][0-9]{0,15}) (\S+)\n"
         r"made-at ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z)")

def key_id(name, algorithm, key): return sha256(name.encode() + b"\n" + algorithm + key).digest()[:4]

def read_note(note, keys, witnesses):
    text(note, "a checkpoint", r"[^\0-\x09\x0b-\x1f]*")
    head, _, signatures = note.partition("\n\n")
    lines = re.fullmatch(LINES, head)
    need(lines and signatures.endswith("\n"), "a checkpoint does not have its lines")
    origin, size, root, companies, companies_root, made_at = lines.groups()
    datetime.datetime.strptime(made_at, "%Y-%m-%dT%H:%M:%S.%fZ")
    known = {(origin, key_id(origin, b"\1", key)): key for key in keys}
    body, ours, cosigners = head.encode() + b"\n", False, []
    for line in signatures[:-1].split("\n"):
        need(re.fullmatch("— [^ +]+ [^ ]+", line), "a signature does not have its form")
        name, raw = line.split(" ")[1], base64_of(line.split(" ")[2], "a signature")
        signer, rest = (name, raw[:4]), raw[4:]
        need(rest, "a signature is too short")
        if signer in known:
            signed(known[signer], body, rest, "our signature")
            ours = True
        elif signer in witnesses:
            at = number(int.from_bytes(rest[:8], "big"), "the time of a cosignature", 0, 253402300799)  # The year 9999.
            signed(witnesses[signer], b"cosignature/v1\ntime %d\n" % at + body, rest[8:], f"the cosignature of {name}")
            cosigners += [name] if name not in cosigners else []
    need(ours, "the checkpoint is not signed with the key")
    return Note(origin, number(int(size), "a size"), base64_of(root, "a root", 32), number(int(companies), "a size"),
                base64_of(companies_root, "a root", 32), made_at, cosigners)

# Digest and chain.
EVENT = ("sequence", "position", "event_id", "event_type", "event_version", "recorded_at", "occurred_at", "key",
         "metadata_sha256", "payload")

def digest_of(event, business):
    sequence, _, event_id, kind, version, *instants, key, metadata, payload = (event[name] for name in EVENT)
    fields = [b"2", business, sequence.to_bytes(8, "big"), uuid(event_id, "evt"),
              text(kind, "a type"), text(version, "a version")]
    fields += [number(instant, "an instant").to_bytes(8, "big", signed=True) for instant in instants]
    if key is not None:
        key, fingerprint, events = members(key, "a key", "key", "fingerprint", "events")
        fields += [hexa(key, "a key", 16), hexa(fingerprint, "a fingerprint", 16)]
        fields += [number(events, "a key's number of events", 0, 2**15 - 1).to_bytes(2, "big")]
    fields += [b""] * (11 - len(fields))
    header = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    hashes = hexa(metadata, "the hash of metadata", 32) + sha256(text(payload, "a payload")).digest()
    return sha256(header + hashes).digest()

# Postings: from>to and the amount, as in the page's table. `part`, `blocked_by` or a direction is a condition.
ACCOUNTS = "receivable available in_transfer held_by_staff in_dispute platform_fees clearing".split()
SOONER = "receivable>available brought_forward[].net; "
FEES = "fees.percentage_fee fees.flat_fee fees.percentage_rate fees.flat_rate"
POSTINGS = {name: row for names, row in {
    "SaleCaptured": "clearing>receivable net; clearing>platform_fees " + FEES,
    "ReceivablesSettled": "receivable>available total -reserve.total; receivable>held_by_staff reserve.total",
    "SaleCanceled": SOONER + "available>clearing net; platform_fees>clearing fees",
    "SaleCanceled blocked_by": SOONER + "in_dispute>clearing amount; platform_fees>available fees",
    "SalePartRefunded": "receivable>clearing consumed[].net; available>clearing net -consumed[].net; "
                        "platform_fees>clearing amount -net",
    "SaleDisputed part": "receivable>in_dispute part[].net; available>in_dispute amount -part[].net",
    "SaleDisputed": SOONER + "available>in_dispute amount",
    "SaleChargedBack part": "receivable>clearing part[].net; available>clearing amount -part[].net",
    "SaleChargedBack blocked_by": SOONER + "in_dispute>clearing amount",
    "SaleChargedBack": SOONER + "available>clearing amount",
    "TransferApproved": "in_transfer>clearing amount -fee; in_transfer>platform_fees fee",
    "TransferRefused, TransferFailed": "in_transfer>available amount",
    "TransferRequested": "available>in_transfer amount", "TransferReopened": "available>in_transfer taken",
    "TransferReturned": "clearing>available paid; platform_fees>available fee",
    "ManualTransferMade out": "available>clearing amount", "ManualTransferMade in": "clearing>available amount",
    "TerminalRentalCharged": "available>platform_fees amount", "CourtPaid": "held_by_staff>clearing amount",
    "AmountHeld, HoldPlaced, HoldRaised": "available>held_by_staff amount",
    "AmountReleased, HoldReleased": "held_by_staff>available amount",
    "ReserveReleased": "held_by_staff>available total", "DisputeWon": "in_dispute>available amount",
    "TerminalRentalCanceled, DebtWrittenOff": "platform_fees>available amount",
    "SaleCreated, SaleFailed, SaleVoided, SaleNamed, RefundAnswered, DisputeConfirmed, TransferApprovalGiven, "
    "TransferProcessing, HoldChanged": ""}.items() for name in names.split(", ")}

def amount(e, term):
    """Of one term, such as `fee`, `-reserve.total` or `part[].net`. What is absent counts as 0."""
    need(isinstance(e, dict), "a payload has no object where it has one")
    name, _, inside = term.removeprefix("-").partition(".")
    value = e.get(name.removesuffix("[]"))
    if name.endswith("[]"):
        need(value is None or isinstance(value, list), "a payload has no list where it has one")
        total = sum(amount(one, inside) for one in value or [])
    elif value is None:
        total = 0
    else:
        total = amount(value, inside) if inside else number(value, name)
    return -total if term.startswith("-") else total

def post(accounts, kind, e):
    need(isinstance(e, dict), "a payload has no object in its member")
    cases = [f"{kind} {name}" for name in ("part", "blocked_by") if e.get(name) is not None]
    row = next((POSTINGS[case] for case in (*cases, f"{kind} {e.get('direction')}", kind) if case in POSTINGS), None)
    need(row is not None, f"{kind} is not a known type of events")
    for posting in filter(None, row.split("; ")):
        ends, *terms = posting.split(" ")
        moved = sum(amount(e, term) for term in terms)
        for account, change in zip(ends.split(">"), (-moved, moved)):
            accounts[account] = number(accounts[account] + change, "a balance")

# Files.
def company_of(file, note):
    business = uuid(file["business_id"], "biz")
    need(note.origin.endswith(f"/shard/{sha256(business).digest()[0] % 16}"), "the company is not of this shard")
    return business

def events_of(file, note, *names):
    need(isinstance(file["events"], list) and file["events"], "a proof has no events")
    sequence = position = 0
    for event in file["events"]:
        members(event, "an event", *names)
        sequence = number(event["sequence"], "the sequence of an event in order", sequence + 1)
        position = number(event["position"], "the position of an event in order", position + 1, note.size)
    return file["events"]

def holds(value, sought):
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value == sought or any(holds(one, sought) for one in inside)

def check_sale(file, note):
    business, sale = company_of(file, note), file["sale_id"]
    uuid(sale, "sal")
    for event in events_of(file, note, *EVENT, "path"):
        digest = digest_of(event, business)
        need(holds(load(event["payload"]), sale), "an event is not of the sale")
        leads_to_root(digest, event["position"] - 1, note.size, event["path"], note.root)
    return {"business_id": file["business_id"], "sale_id": sale, "events": len(file["events"])}

def same(figures, accounts):
    return all(number(mine, "a balance") == accounts[name] for name, mine in
               zip(ACCOUNTS, members(figures, "balances", *ACCOUNTS)))

def check_company(file, note):
    business, chain, events = company_of(file, note), bytes(32), events_of(file, note, *EVENT)
    period, begin, end = file["period"], -MAX, -MAX
    if period is not None:
        begin, end, opening, closing, fees = members(period, "a period", "from", "to", "opening", "closing", "fees")
        need(number(begin, "an instant") <= number(end, "an instant"), "a period ends before it begins")
    now, before, after = (dict.fromkeys(ACCOUNTS, 0) for _ in range(3))
    for sequence, event in enumerate(events, 1):
        chain = sha256(chain + digest_of(event, business)).digest()
        need(event["sequence"] == sequence, "the sequences have a gap")
        kind, at = event["event_type"], event["occurred_at"]
        need(event["event_version"] in (("1.0", "1.1") if kind == "SaleVoided" else ("1.0",)), "an unknown version")
        e, = members(load(event["payload"]), "a payload", kind)
        for accounts in (now, *[before] * (at < begin), *[after] * (at < end)):
            post(accounts, kind, e)
    index, path = members(file["member"], "a member", "index", "path")
    leaf = business + len(events).to_bytes(8, "big") + chain
    leads_to_root(leaf, index, note.companies, path, note.companies_root)
    need(same(file["accounts"], now), "the accounts are not those of the events")
    if period is not None:
        need(same(opening, before) and same(closing, after), "the period's balances are not those of its events")
        need(number(fees, "fees") == after["platform_fees"] - before["platform_fees"], "the period's fees differ")
    return {"business_id": file["business_id"], "events": len(events), "accounts": now, "period": period}

KINDS = {"sale": ("business_id", "sale_id", "events"), "growth": ("earlier", "path"),
         "company": ("business_id", "events", "member", "accounts", "period")}

def check(document, keys, witnesses):
    file = load(document)
    kind = file.get("kind") if isinstance(file, dict) else None
    need(isinstance(kind, str) and kind in KINDS, "the file is no proof of a known kind")
    members(file, f"a {kind} proof", "format", "kind", "checkpoint", "public_key", *KINDS[kind])
    need(file["format"] == "razao proof 1", "the file has another format")
    key = hexa(file["public_key"], "a public key", 32)
    need(key in keys, "the public key is not known")
    note = read_note(file["checkpoint"], [key], witnesses)
    if kind == "growth":
        earlier = read_note(file["earlier"], keys, {})
        grows(earlier, note, file["path"])
        more = {"earlier": earlier.size}
    else:
        more = (check_sale if kind == "sale" else check_company)(file, note)
    return {"kind": kind, "origin": note.origin, "size": note.size, "made_at": note.made_at,
            "witnesses": note.witnesses, **more}

def witness(vkey):
    name, identity, key = vkey.split("+", 2)
    key = base64_of(key, "a witness's key", 33)
    if not name or " " in name or key[0] != 4 or bytes.fromhex(identity) != key_id(name, b"\4", key[1:]):
        raise ValueError
    return (name, bytes.fromhex(identity)), key[1:]

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--key", action="append", default=[], type=lambda key: hexa(key, "a key", 32))
    parser.add_argument("--witness", action="append", default=[], type=witness)
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments, valid = parser.parse_args(), True
    for name in arguments.files:
        try:
            with open(name, "rb") as file:
                found = check(file.read().decode(), arguments.key, dict(arguments.witness))
            answer = {"file": name, "valid": True, **found}
        except (Invalid, ValueError, RecursionError, OSError) as error:
            valid, answer = False, {"file": name, "valid": False, "reason": str(error) or type(error).__name__}
        print(json.dumps(answer))
    return 0 if valid else 1

if __name__ == "__main__":
    sys.exit(main())
