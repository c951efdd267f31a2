import { expect, it } from "vitest";
import { answerSchema, messageSchema, phoneLink, whatsappLink } from "./contact";

const messages = (subject: string, message: string) =>
  messageSchema
    .safeParse({ business_id: "biz_1", subject, message })
    .error?.issues.map((each) => each.message);

it("asks for a subject, a message and an answer, within their lengths", () => {
  expect(messages(" ", "\n")).toEqual(["Informe o assunto.", "Escreva a sua mensagem."]);
  expect(messages("a".repeat(121), "a".repeat(4001))).toEqual([
    "O texto deve ter até 120 caracteres.",
    "O texto deve ter até 4.000 caracteres.",
  ]);
  expect(messages("á".repeat(120), "😀".repeat(4000))).toBeUndefined();
  const answerError = (message: string) => answerSchema.safeParse({ message }).error?.issues[0]?.message;
  expect(answerError(" ")).toBe("Escreva a resposta.");
  expect(answerError("a".repeat(4001))).toBe("O texto deve ter até 4.000 caracteres.");
});

it("links numbers with the country's code", () => {
  expect(phoneLink("1133334444")).toBe("tel:+551133334444");
  expect(whatsappLink("11999998888")).toBe("https://wa.me/5511999998888");
});
