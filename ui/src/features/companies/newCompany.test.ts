import { expect, it } from "vitest";
import { Failure } from "../../api/failure";
import { bodyOf, type Draft, EMPTY, failureOf, resume, schemas, stepOf } from "./newCompany";

const messages = (seller: Partial<Draft["seller"]>) => {
  const { error } = schemas.seller.safeParse({ ...EMPTY.seller, ...seller });
  return error?.issues.map(({ path, message }) => [path.join("."), message]) ?? [];
};

it("asks for the data of a new user, or for a user that exists", () => {
  expect(messages({})).toEqual([
    ["name", "Nome é requerido."],
    ["email", "Email é requerido."],
    ["password", "Senha é requerida."],
    ["document", "CPF é requerido."],
  ]);
  expect(messages({ owner: "existing" })).toEqual([["seller_id", "Selecione o usuário."]]);
  expect(messages({ owner: "existing", seller_id: "usr_1" })).toEqual([]);
});

it("sends the id of a user that exists, and else the data of the new one", () => {
  const seller = { ...EMPTY.seller, name: "Bia", seller_id: "usr_1", seller_name: "Ana" };
  const created = bodyOf({ ...EMPTY, seller: { ...seller, owner: "new" } });
  expect(created).toMatchObject({ seller: { name: "Bia", email: "", password: "", document: "" } });
  expect(created).not.toHaveProperty("seller_id");
  const given = bodyOf({ ...EMPTY, seller: { ...seller, owner: "existing" } });
  expect(given).toHaveProperty("seller_id", "usr_1");
  expect(given).not.toHaveProperty("seller");
});

it("keeps the code by which support finds a server error", () => {
  const failed = new Failure(500, { message: "Erro", request_id: "req_1" });
  expect(failureOf("plans", failed)?.code).toBe("req_1");
  expect(failureOf("plans", new Failure(0, undefined))?.code).toBeUndefined();
});

it("opens the step of a refused field", () => {
  const refused = new Failure(422, {
    message: "Inválido",
    errors: { seller_id: ["Usuário não encontrado."] },
  });
  expect(stepOf(refused)).toBe("seller");
  expect(failureOf("seller", refused)?.fields).toEqual({ seller_id: "Usuário não encontrado." });
});

it("returns to the open step, after the password of a new user is typed again", () => {
  const existing = { ...EMPTY, seller: { ...EMPTY.seller, owner: "existing" as const, seller_id: "usr_1" } };
  expect(resume(existing, 3)).toEqual({ stepIndex: 3, returnTo: 3 });
  expect(resume(EMPTY, 3)).toEqual({ stepIndex: 0, returnTo: 3 });
  expect(resume(EMPTY, 0)).toEqual({ stepIndex: 0, returnTo: 0 });
});
