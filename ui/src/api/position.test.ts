import { expect, it } from "vitest";
import { awaitedPosition, LEDGER_POSITION, noteWritten } from "./position";

const headers = (position: string) => new Headers({ [LEDGER_POSITION]: position });

it("asks for every position written in the last ten seconds, and for none afterwards", () => {
  expect(awaitedPosition(0)).toBeUndefined();
  noteWritten(new Headers(), 0);
  expect(awaitedPosition(0)).toBeUndefined();
  noteWritten(headers("3:120"), 0);
  noteWritten(headers("7:5,3:121"), 5000);
  expect(awaitedPosition(9999)).toBe("3:120,7:5,3:121");
  expect(awaitedPosition(10_000)).toBe("7:5,3:121");
  expect(awaitedPosition(15_000)).toBeUndefined();
});
