import { expect, it } from "vitest";
import { partName, shortPartName, spanName } from "./parts";

const span = (start: string, end: string) => ({ start, end });

it("names the parts of a period", () => {
  const hour = span("2026-11-21T02:00:00Z", "2026-11-21T02:59:59.999999Z");
  // The days are those of Brasília.
  expect(partName("hour", hour)).toBe("20/11 23h");
  expect(shortPartName("hour", hour)).toBe("23h");
  expect(partName("day", span("2026-11-21", "2026-11-21"))).toBe("21/11/2026");
  expect(partName("week", span("2026-11-16", "2026-11-21"))).toBe("16/11 a 21/11/2026");
  expect(partName("month", span("2026-10-01", "2026-10-31"))).toBe("outubro de 2026");
  expect(partName("month", span("2026-11-01", "2026-11-21"))).toBe("01/11 a 21/11/2026");
  expect(spanName(span("2025-12-20", "2026-01-10"))).toBe("20/12/2025 a 10/01/2026");
});
