import { expect, it } from "vitest";
import { businessesText, rolesText, staffRolesText } from "./userText";

const at = (name: string, role: "owner" | "admin" | "operator" = "operator") => ({ name, role });

it.each([
  [{ businesses: [at("Padaria")] }, "Padaria"],
  [{ businesses: [at("Padaria"), at("Farmácia")] }, "Padaria e mais 1"],
  [{ businesses: [at("Padaria"), at("Farmácia")], other_businesses: 1 }, "Padaria e mais 2"],
  [{ businesses: [], other_businesses: 1 }, "1 outra empresa"],
  [{ businesses: [] }, "Nenhuma"],
])("%o reads %s", (user, text) => expect(businessesText(user)).toBe(text));

it("names each role once", () => {
  expect(rolesText({ businesses: [at("a", "admin"), at("b"), at("c", "admin")] })).toBe(
    "Administrador, Operador",
  );
  expect(rolesText({ businesses: [] })).toBe("—");
});

it("names the roles of staff, and keeps the code of an unknown one", () => {
  expect(staffRolesText(["commercial-supervisor", "sac", "toString"])).toBe(
    "Supervisor Comercial, SAC, toString",
  );
});
