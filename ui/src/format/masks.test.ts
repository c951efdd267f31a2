import { expect, it } from "vitest";
import { caretAfter, editOf, masks } from "./masks";

it.each([
  ["cpf", "351", "351"],
  ["cpf", "35162478946", "351.624.789-46"],
  ["taxId", "35162478946", "351.624.789-46"],
  ["taxId", "351624789460", "35.162.478/9460"],
  ["taxId", "31415926000171", "31.415.926/0001-71"],
  ["taxId", "7vlt3a9k000148", "7V.LT3.A9K/0001-48"],
  ["postalCode", "01310100", "01310-100"],
  ["instant", "20112026153059", "20/11/2026 15:30:59"],
  ["instant", "20/11/2026 15:30", "20/11/2026 15:30"],
  ["phone", "1133224455", "(11) 3322-4455"],
  ["phone", "11933224455", "(11) 93322-4455"],
  ["phone", "1", "(1"],
] as const)("%s shows %s as %s", (name, typed, shown) => {
  const mask = masks[name];
  expect(mask.show(mask.clean(typed))).toBe(shown);
});

it("drops extra and invalid characters", () => {
  expect(masks.postalCode.clean("01310-1009")).toBe("01310100");
  expect(masks.taxId.clean("31.415.926/0001-7A1")).toBe("31415926000171");
});

it("restores the value from the text that it shows", () => {
  for (const text of ["3", "3516", "35162478946", "7VLT3A9K000148"]) {
    expect(masks.taxId.clean(masks.taxId.show(text))).toBe(text);
  }
});

it("keeps the caret after the typed character", () => {
  // The caret after the typed fourth digit: "351.6|24.789-46".
  expect(caretAfter(masks.cpf, "351.624.789-46", 4)).toBe(5);
  expect(caretAfter(masks.cpf, "351.624.789-46", 0)).toBe(0);
  expect(caretAfter(masks.cpf, "351", 9)).toBe(3);
});

/** The text after one key of deletion at the mark "|", with the mark at the caret's new place. */
function afterDeletion(name: keyof typeof masks, marked: string, direction: "Backward" | "Forward"): string {
  const mask = masks[name];
  const shown = marked.replace("|", "");
  const caret = marked.indexOf("|");
  const from = direction === "Backward" ? Math.max(caret - 1, 0) : caret;
  const text = shown.slice(0, from) + shown.slice(from + 1);
  const edit = editOf(mask, shown, { text, caret: from, inputType: `deleteContent${direction}` });
  const next = mask.show(edit.clean);
  const place = caretAfter(mask, next, edit.charsBefore);
  return `${next.slice(0, place)}|${next.slice(place)}`;
}

it.each([
  ["cpf", "351.|624.789-46", "35|6.247.894-6"],
  ["cpf", "351.624.789-|46", "351.624.78|4-6"],
  ["taxId", "31.415.926/|0001-71", "31.415.92|0/0017-1"],
  ["taxId", "7V.|LT3.A9K/0001-48", "7|L.T3A.9K0/0014-8"],
  ["postalCode", "01310-|100", "0131|1-00"],
  ["date", "20/|11/2026", "2|1/12/026"],
  ["instant", "20/11/2026 |15:30:59", "20/11/202|1 53:05:9"],
  ["phone", "(11) |93322-4455", "(1|9) 3322-4455"],
  ["phone", "(11) 93322-|4455", "(11) 9332|-4455"],
] as const)("Backspace after a separator of %s deletes the character before it: %s", (name, marked, left) =>
  expect(afterDeletion(name, marked, "Backward")).toBe(left),
);

it.each([
  ["cpf", "351|.624.789-46", "351|.247.894-6"],
  ["date", "20|/11/2026", "20|/12/026"],
  ["phone", "|(11) 93322-4455", "|(19) 3322-4455"],
] as const)("Delete before a separator of %s deletes the character after it: %s", (name, marked, left) =>
  expect(afterDeletion(name, marked, "Forward")).toBe(left),
);

it("deletes one character beside another character, and none beside the start", () => {
  expect(afterDeletion("cpf", "351.6|24", "Backward")).toBe("351|.24");
  expect(afterDeletion("cpf", "35|1.624", "Forward")).toBe("35|6.24");
  expect(afterDeletion("phone", "(|11) 9332", "Backward")).toBe("|(11) 9332");
});

it("keeps the characters beside a separator that is cut or replaced", () => {
  const cut = { text: "351624", caret: 3, inputType: "deleteByCut" };
  expect(editOf(masks.cpf, "351.624", cut)).toEqual({ clean: "351624", charsBefore: 3 });
  // Filling a form by a program gives no type.
  const filled = { text: "351624", caret: 6, inputType: undefined };
  expect(editOf(masks.cpf, "351.624", filled)).toEqual({ clean: "351624", charsBefore: 6 });
});

it.each([
  ["cpf", "CPF: 529.982.247-25", "529.982.247-25"],
  ["cpf", "５２９ ９８２ ２４７ ２５", "529.982.247-25"],
  ["taxId", "CPF 529.982.247-25", "529.982.247-25"],
  ["taxId", "CNPJ/MF: 11.222.333/0001-81", "11.222.333/0001-81"],
  ["taxId", "cnpj: 12.ABC.345/01DE-35", "12.ABC.345/01DE-35"],
  ["taxId", "１１.２２２.３３３/０００１-８１", "11.222.333/0001-81"],
  ["postalCode", "CEP 01.310-100", "01310-100"],
  ["postalCode", "０１３１０-１００", "01310-100"],
  ["date", "2026-11-21", "21/11/2026"],
  ["date", "21.11.2026", "21/11/2026"],
  ["date", "1/2/2026", "01/02/2026"],
  ["date", " 21 11 2026 ", "21/11/2026"],
  ["date", "２１/１１/２０２６", "21/11/2026"],
  ["date", "2026-11-21T15:30:59Z", "21/11/2026"],
  ["instant", "2026-11-20T15:30:59Z", "20/11/2026 15:30:59"],
  ["instant", "20/11/2026, 15:30", "20/11/2026 15:30"],
] as const)("%s reads the pasted %s", (name, pasted, shown) => {
  const mask = masks[name];
  expect(mask.show(mask.clean(pasted))).toBe(shown);
});
