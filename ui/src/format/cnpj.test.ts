import { expect, it } from "vitest";
import { isCnpj } from "./cnpj";

it.each(["11.222.333/0001-81", "11222333000181", "12.ABC.345/01DE-35", "7vlt3a9k000148"])(
  "%s is a CNPJ",
  (text) => expect(isCnpj(text)).toBe(true),
);

it.each(["", "11222333000182", "11111111111111", "1122233300018", "12ABC34501DE3A", "12ABC34501DE36"])(
  "%s is not a CNPJ",
  (text) => expect(isCnpj(text)).toBe(false),
);
