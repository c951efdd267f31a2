import { expect, it } from "vitest";
import type { ReserveVersion } from "../../api/models";
import { inForce, rulesText, scheduled, shareText, termsText, versionStates } from "./reserveRules";

const version = (
  number: number,
  valid_from: string,
  change: Partial<ReserveVersion> = {},
): ReserveVersion => ({
  version: number,
  valid_from,
  percentage: "10",
  days: 30,
  maximum: null,
  ends_on: null,
  reason: "Contestações",
  by: null,
  recorded_at: "2026-11-20T12:00:00Z",
  ...change,
});

const TODAY = "2026-12-10";
const plain = (text: string) => text.replaceAll("\u00a0", " ");

it("says the rules in words", () => {
  expect(["10", "2.5000", "2.50", "0.75", "100"].map(shareText)).toEqual([
    "10%",
    "2,5%",
    "2,5%",
    "0,75%",
    "100%",
  ]);
  const rules = { percentage: "10", days: 1, maximum: 100_000, ends_on: "2026-12-31" };
  expect(plain(rulesText(rules))).toBe(
    "10% de cada recebimento fica guardado por 1 dia, até o máximo de R$ 1.000,00. Vale para os recebimentos até 31/12/2026.",
  );
  expect(plain(termsText(rules))).toBe("10% por 1 dia, até R$ 1.000,00");
  expect(rulesText({ ...rules, percentage: "0" })).toBe(
    "Nada é guardado dos recebimentos. Vale para os recebimentos até 31/12/2026.",
  );
  expect(rulesText({ ...rules, percentage: "0", ends_on: null })).toBe("Nada é guardado dos recebimentos.");
});

it("the latest version that has begun counts, and those before it are replaced", () => {
  const versions = [version(3, "2027-01-01"), version(2, "2026-12-01"), version(1, "2026-11-01")];
  expect(versionStates(versions, TODAY)).toEqual(["scheduled", "inForce", "replaced"]);
});

it("a version replaces a scheduled one that begins on its first day or later", () => {
  const versions = [version(3, "2026-12-20"), version(2, "2027-01-01"), version(1, "2026-12-15")];
  expect(versionStates(versions, TODAY)).toEqual(["scheduled", "replaced", "scheduled"]);
  expect(scheduled({ own: versions, of_plan: [] }, TODAY).map((each) => each.version.version)).toEqual([
    1, 3,
  ]);
});

it("a version whose last day has passed has ended, and an earlier one does not return", () => {
  const ended = version(2, "2026-12-01", { ends_on: "2026-12-09" });
  const versions = [ended, version(1, "2026-11-01")];
  expect(versionStates(versions, TODAY)).toEqual(["ended", "replaced"]);
  expect(inForce({ own: versions, of_plan: [] }, TODAY)).toBeUndefined();
});

it("the company's own rules come before its plan's, also if they hold nothing", () => {
  const ofPlan = version(1, "2026-11-01");
  const exempt = version(1, "2026-12-01", { percentage: "0" });
  expect(inForce({ own: [exempt], of_plan: [ofPlan] }, TODAY)).toEqual({ version: exempt, isOwn: true });
  const later = version(1, "2026-12-11");
  expect(inForce({ own: [later], of_plan: [ofPlan] }, TODAY)).toEqual({ version: ofPlan, isOwn: false });
});
