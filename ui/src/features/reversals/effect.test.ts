import { expect, it } from "vitest";
import type { ReversalPreview } from "../../api/models";
import { doneText, effectText } from "./effect";

const totals = (available: number, receivable: number) => ({
  available,
  receivable,
  in_transfer: 0,
  blocked: 0,
  held_by_staff: 0,
  in_dispute: 0,
});

/** A sale of R$ 300,00, with `scheduled` of its net amount still to be paid. */
function preview(scheduled: number, needed = 285_00, released = 0): ReversalPreview {
  const before = totals(400_00, scheduled);
  return {
    covered: true,
    needed,
    amount: 300_00,
    fees_returned: 300_00 - needed,
    left: 300_00,
    parts_refused: null,
    gross: 300_00,
    fees: 15_00,
    net: 285_00,
    accelerated: scheduled > 0 ? [{ number: 1, net: scheduled, due_date: "2026-12-21" }] : [],
    accelerated_total: scheduled,
    taken: [],
    taken_total: 0,
    balance: {
      available: 400_00 + released,
      released,
      covered_on: null,
      before,
      after: totals(400_00 + scheduled + released - needed, 0),
    },
  };
}

const plain = (text: string) => text.replaceAll("\u00a0", " ");

it("takes the net amount of a settled sale from the available balance", () => {
  expect(plain(effectText("cancel", preview(0)))).toBe(
    "O valor líquido da venda, R$ 285,00, será descontado do saldo disponível.",
  );
});

it("leaves the available balance unchanged when an unsettled sale is canceled", () => {
  expect(plain(effectText("cancel", preview(285_00)))).toBe(
    [
      "O valor líquido da venda, R$ 285,00, será descontado do saldo disponível.",
      "Antes, 1 parcela agendada desta venda, de R$ 285,00, entra no saldo disponível.",
      "Ao final, o saldo disponível não muda.",
    ].join(" "),
  );
});

it("names the amount by which the available balance decreases in the end", () => {
  // R$ 190,00 of the net amount are settled already.
  expect(plain(effectText("cancel", preview(95_00)))).toMatch(
    /Ao final, o saldo disponível diminui em R\$ 190,00\.$/,
  );
  // A dispute takes the gross amount.
  expect(plain(effectText("dispute", preview(285_00, 300_00)))).toMatch(
    /^O valor bruto da venda, R\$ 300,00, .* diminui em R\$ 15,00\.$/,
  );
  // R$ 100,00 are held for this sale.
  expect(plain(effectText("cancel", preview(0, 285_00, 100_00)))).toMatch(
    /valor bloqueado desta venda, R\$ 100,00, é liberado\. .* diminui em R\$ 185,00\.$/,
  );
});

it("says of a part what the buyer gets and how the available balance changes", () => {
  const part = { ...preview(0, 95_00), amount: 100_00, fees_returned: 5_00, taken_total: 95_00 };
  expect(plain(effectText("cancel", part))).toBe(
    "O comprador recebe R$ 100,00 de volta, e a venda continua aprovada. Ao final, o saldo disponível diminui em R$ 95,00.",
  );
  expect(plain(doneText("cancel", part))).toBe(
    "O comprador recebe R$ 100,00 de volta. A venda continua aprovada.",
  );
});

it("leaves out the change of the balance for a role that may not see it", () => {
  const text = plain(effectText("cancel", { ...preview(95_00), balance: null }));
  expect(text).toContain("Antes, 1 parcela agendada desta venda, de R$ 95,00, entra no saldo disponível.");
  expect(text).not.toContain("Ao final");
});

it("repeats the figures of the preview afterwards", () => {
  expect(plain(doneText("cancel", preview(0)))).toBe(
    "O valor líquido de R$ 285,00 foi descontado do saldo disponível.",
  );
  expect(plain(doneText("cancel", preview(285_00)))).toContain("Antes, 1 parcela agendada");
  expect(plain(doneText("cancel", preview(0, 285_00, 100_00)))).toContain("R$ 100,00");
});
