import { expect, it } from "vitest";
import { amountText, paymentTypesText, publicAddress, usesText, whatsappAddress } from "./linkText";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

it("names a fixed amount, the bounds of an open one, or that it is open", () => {
  const of = (amount: number | null, amount_min: number | null, amount_max: number | null) =>
    plain(amountText({ amount, amount_min, amount_max }));
  expect(of(180_00, null, null)).toBe("R$ 180,00");
  expect(of(null, 10_00, 50_00)).toBe("De R$ 10,00 a R$ 50,00");
  expect(of(null, 10_00, null)).toBe("A partir de R$ 10,00");
  expect(of(null, null, 50_00)).toBe("Até R$ 50,00");
  expect(of(null, null, null)).toBe("Valor aberto");
});

it("counts uses, with the limit if there is one", () => {
  expect(usesText({ uses: 4, use_limit: 10 })).toBe("4 de 10");
  expect(usesText({ uses: 1234, use_limit: null })).toBe("1.234");
});

it("names the payment types with the installments of cards", () => {
  expect(paymentTypesText({ payment_types: ["credit", "pix"], installments_max: 3 })).toBe(
    "Cartão até 3x, PIX",
  );
  expect(paymentTypesText({ payment_types: ["credit", "boleto"], installments_max: 1 })).toBe(
    "Cartão, Boleto",
  );
});

it("shares the public address", () => {
  const address = publicAddress("0123456789AB", "https://loja.example");
  expect(address).toBe("https://loja.example/pl/0123456789AB");
  expect(whatsappAddress(`Pague: ${address} & obrigado`)).toBe(
    "https://wa.me/?text=Pague%3A%20https%3A%2F%2Floja.example%2Fpl%2F0123456789AB%20%26%20obrigado",
  );
});
