import { expect, it } from "vitest";
import { newTenantSchema, type TenantValues, tenantBody, tenantSchema } from "./tenant";

const good: TenantValues = {
  label: "loja",
  product_name: "Loja Pay",
  theme_color: "#1A237E",
  highlight_color: "#00E5FF",
  contact_email: "",
  contact_phone: "",
  contact_whatsapp: "",
  time_zone: "UTC",
};

const faults = (values: Partial<TenantValues>, taken: string[] = []) => {
  const { error } = newTenantSchema(taken).safeParse({ ...good, ...values });
  return error?.issues.map(({ path, message }) => [path[0], message]) ?? [];
};

it("accepts a tenant with and without contacts", () => {
  expect(faults({})).toEqual([]);
  expect(faults({ contact_email: "ajuda@loja.com.br", contact_phone: "1133334444" })).toEqual([]);
});

it.each([
  [{ product_name: " " }, "product_name", "Informe o nome do produto."],
  [{ theme_color: "#12345" }, "theme_color", "Use uma cor no formato #RRGGBB."],
  [{ highlight_color: "azul" }, "highlight_color", "Use uma cor no formato #RRGGBB."],
  [
    { label: "Loja" },
    "label",
    "Use até 63 letras minúsculas, números e hífens, sem hífen no início ou no fim.",
  ],
  [{ label: "" }, "label", "Use até 63 letras minúsculas, números e hífens, sem hífen no início ou no fim."],
  [
    { label: "-loja" },
    "label",
    "Use até 63 letras minúsculas, números e hífens, sem hífen no início ou no fim.",
  ],
  [{ contact_email: "ajuda@" }, "contact_email", "Email inválido."],
  [{ contact_whatsapp: "123" }, "contact_whatsapp", "Informe o telefone com DDD."],
])("refuses %o", (values, field, message) => expect(faults(values)).toEqual([[field, message]]));

it("refuses the label of another tenant", () => {
  expect(faults({}, ["", "loja"])).toEqual([["label", "Já existe uma marca neste subdomínio."]]);
});

it("accepts the empty label of the default tenant", () => {
  expect(tenantSchema.safeParse({ ...good, label: "" }).success).toBe(true);
});

it("sends empty contacts as null", () => {
  expect(tenantBody({ ...good, product_name: " Loja Pay ", contact_phone: "1133334444" })).toMatchObject({
    product_name: "Loja Pay",
    contact_email: null,
    contact_phone: "1133334444",
  });
});
