import { expect, it } from "vitest";
import type { ExplanationInstallment, ExplanationLine } from "../../../api/models";
import {
  calculationText,
  chargeText,
  closedDayText,
  movedDates,
  movedText,
  roundingText,
  ruleText,
  splitText,
} from "./rules";

const line: ExplanationLine = {
  part: "plan_percentage_fee",
  rule: "effective",
  rate: "3.19",
  listed_as: "visa",
  group: null,
  band: null,
  installments: 1,
  settlement_days: null,
  base: 123456,
  unrounded: "3938.2464",
  charged: 3938,
  left: 119518,
};
const plain = (text: string) => text.replaceAll("\u00a0", " ");

it.each<[Partial<ExplanationLine>, string]>([
  [{}, "Taxa Efetiva de 3,19% (Visa, à vista)"],
  [
    { listed_as: null, installments: 3 },
    "Taxa Efetiva de 3,19% (bandeira sem taxa própria: maior taxa das demais bandeiras, 3x)",
  ],
  [
    { rule: "mdr", rate: "3.00", listed_as: null, group: "visamaster", band: "credit_2to6" },
    "Taxa MDR de 3,00% (Visa e Mastercard, crédito de 2x a 6x)",
  ],
  [
    { rule: "mdr", listed_as: null, group: "others", band: "debit" },
    "Taxa MDR de 3,19% (demais bandeiras, débito)",
  ],
  [
    { rule: "advance", rate: "1.50", settlement_days: 1 },
    "Antecipação de 1,50% ao mês, com recebimento em 1 dia (D+1)",
  ],
  [{ rule: "pix_percent", rate: "0.99" }, "Taxa percentual do PIX: 0,99%"],
  [{ rule: "pix_fixed", rate: null }, "Tarifa fixa do PIX"],
  [{ rule: "boleto", rate: null }, "Tarifa do boleto"],
  [{ rule: "percentage_rate", rate: "1.25" }, "Taxa percentual do plano: 1,25%"],
  [{ rule: "flat_rate", rate: null }, "Tarifa fixa do plano"],
])("a line with %o has the text %s", (changes, text) => expect(ruleText({ ...line, ...changes })).toBe(text));

it("shows the exact amount before rounding", () => {
  expect(plain(calculationText(line))).toBe("3,19% de R$ 1.234,56 = R$ 39,382464");
  expect(plain(calculationText({ ...line, rule: "flat_rate", unrounded: "49", charged: 49 }))).toBe(
    "Valor fixo de R$ 0,49",
  );
  expect(plain(calculationText({ ...line, rule: "advance", base: 29100 }))).toContain("R$ 291,00");
});

it("shows the rounding difference with its sign", () => {
  expect(plain(roundingText("3938.2464", 3938))).toBe("arredondamento de -R$ 0,002464");
  expect(plain(roundingText("140.65", 141))).toBe("arredondamento de +R$ 0,0035");
  expect(roundingText("49", 49)).toBe("sem arredondamento");
  expect(roundingText("500", 120)).toBe("cobrança limitada ao valor restante da venda");
});

it("says that the advance is rounded for each installment, not for their sum", () => {
  const advance: ExplanationLine = {
    ...line,
    rule: "advance",
    base: 81857,
    unrounded: "1543",
    charged: 1543,
  };
  expect(plain(chargeText(advance))).toBe(
    "Soma do custo de antecipar cada parcela (R$ 818,57 no total), com arredondamento por parcela",
  );
  expect(chargeText({ ...advance, charged: 1200 })).toMatch(
    /, cobrança limitada ao valor restante da venda$/,
  );
  expect(chargeText(line)).toMatch(/, arredondamento de -R\$\u00a00,002464$/);
});

it("says why a day is closed", () => {
  expect(closedDayText({ date: "2026-12-25", closure: "holiday", name: "Natal" })).toBe(
    "25/12/2026 (feriado: Natal)",
  );
  expect(closedDayText({ date: "2026-12-26", closure: "weekend", name: null })).toBe("26/12/2026 (sábado)");
  expect(closedDayText({ date: "2026-12-28", closure: "added", name: null })).toBe(
    "28/12/2026 (feriado local)",
  );
});

it("groups installments that share a moved date, and omits those whose date did not move", () => {
  const installment = (number: number, counted_to: string, due_date: string): ExplanationInstallment => ({
    number,
    gross: 100,
    fees: 3,
    net: 97,
    advance: null,
    counted_to,
    due_date,
    closed_days: counted_to === due_date ? [] : [{ date: counted_to, closure: "weekend", name: null }],
  });
  const moved = movedDates([
    installment(1, "2026-11-22", "2026-11-23"),
    installment(2, "2026-11-22", "2026-11-23"),
    installment(3, "2026-12-24", "2026-12-24"),
    installment(4, "2027-01-23", "2027-01-25"),
    installment(5, "2027-02-20", "2027-02-22"),
  ]);
  expect(moved.map(movedText)).toEqual([
    "Parcelas 1 a 2: data adiada de 22/11/2026 para 23/11/2026.",
    "Parcela 4: data adiada de 23/01/2027 para 25/01/2027.",
    "Parcela 5: data adiada de 20/02/2027 para 22/02/2027.",
  ]);
  expect(movedDates([installment(1, "2026-12-24", "2026-12-24")])).toEqual([]);
});

it("says that the advance is not divided among the installments", () => {
  const whole = { net_is_split: false };
  const installment: ExplanationInstallment = {
    number: 1,
    gross: 100,
    fees: 3,
    net: 97,
    advance: null,
    counted_to: "2026-12-24",
    due_date: "2026-12-24",
    closed_days: [],
  };
  const advance = { base: 97, days: 30, unrounded: "1.4", cost: 1 };
  expect(splitText({ ...whole, installments: [installment] })).toMatch(/^As taxas são divididas /);
  expect(splitText({ ...whole, installments: [{ ...installment, advance }] })).toMatch(
    /^As taxas, exceto a antecipação, são divididas /,
  );
  expect(splitText({ ...whole, net_is_split: true, installments: [installment] })).toMatch(
    /dividimos o valor líquido\.$/,
  );
});
