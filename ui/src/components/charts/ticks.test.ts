import { expect, it } from "vitest";
import { moneyTicks } from "./ticks";

it.each([
  ["nothing", [], [0, 100]],
  ["less than a real", [37, 2], [0, 100]],
  ["an odd amount", [0, 734_50], [0, 200_00, 400_00, 600_00, 800_00]],
  ["a round amount", [500_00], [0, 100_00, 200_00, 300_00, 400_00, 500_00]],
  ["a debt", [-120_00, 700_00], [-200_00, 0, 200_00, 400_00, 600_00, 800_00]],
  ["debts alone", [-1], [-100, 0]],
] as const)("draws lines at round amounts around %s", (_, cents, ticks) =>
  expect(moneyTicks(cents)).toEqual(ticks),
);

it("encloses every amount with at most six lines at whole reais", () => {
  for (let top = 1; top < 10 ** 12; top = top * 3 + 7) {
    for (const bottom of [0, -1, -top, Math.round(-top / 7)]) {
      const ticks = moneyTicks([top, bottom]);
      const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks).toContain(0);
      expect(ticks[0]).toBeLessThanOrEqual(bottom);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(top);
      expect(step % 100).toBe(0);
      expect(String(step)).toMatch(/^[125]0+$/);
    }
  }
});
