// A page learns the state of its order from the stream, and from calls in addition.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Order } from "./contract";
import { followOrder } from "./follow";

type Listener = (event: { data: string }) => void;

class FakeStream {
  static readonly CLOSED = 2;
  static last: FakeStream | undefined;
  readyState = 1;
  private readonly listeners = new Map<string, Listener>();

  constructor() {
    FakeStream.last = this;
  }

  addEventListener(name: string, listener: Listener) {
    this.listeners.set(name, listener);
  }

  emit(name: string, order?: Order) {
    this.listeners.get(name)?.({ data: JSON.stringify(order) });
  }

  close() {
    this.readyState = FakeStream.CLOSED;
  }
}

const order = (status: string, final = false) => ({ final, attempt: { status } }) as Order;

/** The calls that wait for their answer. */
let calls: ((found: Order) => void)[];
let seen: string[];

function follow(isKnown: boolean) {
  const onOrder = ({ attempt }: Order) => seen.push(attempt.status);
  return followOrder("7Q2M4Z9XKD", isKnown, { onOrder, onFailure: () => seen.push("failure") });
}

beforeEach(() => {
  calls = [];
  seen = [];
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeStream);
  for (const name of ["document", "window"]) {
    vi.stubGlobal(name, { addEventListener: () => undefined, removeEventListener: () => undefined });
  }
  vi.stubGlobal(
    "fetch",
    () =>
      new Promise((resolve) => {
        calls.push((found) => resolve(new Response(JSON.stringify(found))));
      }),
  );
});

afterEach(() => {
  vi.useRealTimers();
  // Vitest removes the stubs before the next test. The next file is imported before that, and would take the stubs for
  // a browser.
  vi.unstubAllGlobals();
});

it("drops an answer that is older than the stream's report", async () => {
  const end = follow(false);
  FakeStream.last?.emit("status", order("declined"));
  calls[0]?.(order("processing"));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["declined"]);
  end();
});

it("polls while the stream is open and reports nothing, as behind a proxy that holds events back", async () => {
  const end = follow(true);
  FakeStream.last?.emit("open");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(calls).toHaveLength(1);
  calls[0]?.(order("paid", true));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["paid"]);
  end();
});

it("polls when a stream that reported something has died, and connects again", async () => {
  const end = follow(true);
  FakeStream.last?.emit("status", order("to_pay"));
  const first = FakeStream.last;
  first?.close();
  first?.emit("error");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(calls).toHaveLength(1);
  calls[0]?.(order("to_pay"));
  await vi.advanceTimersByTimeAsync(12_000);
  expect(FakeStream.last).not.toBe(first);
  FakeStream.last?.emit("status", order("paid", true));
  expect(seen.at(-1)).toBe("paid");
  end();
});

it("waits as long as a refused poll says", async () => {
  let polls = 0;
  vi.stubGlobal("fetch", async () => {
    polls += 1;
    return new Response("{}", { status: 429, headers: { "Retry-After": "40" } });
  });
  const end = follow(true);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([polls, seen]).toEqual([1, ["failure"]]);
  await vi.advanceTimersByTimeAsync(39_000);
  expect(polls).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(polls).toBe(2);
  end();
});

it("polls slowly in addition to a stream, and not after the end", async () => {
  follow(true);
  FakeStream.last?.emit("status", order("to_pay"));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(calls).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls).toHaveLength(1);
  FakeStream.last?.emit("status", order("paid", true));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(1);
  expect(seen).toEqual(["to_pay", "paid"]);
});
