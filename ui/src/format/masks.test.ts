import { expect, it } from "vitest";
import { caretAfter, masks } from "./masks";

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
  // "351.6|24" after typing the fourth digit in the middle.
  expect(caretAfter(masks.cpf, "351.624.789-46", 4)).toBe(5);
  expect(caretAfter(masks.cpf, "351.624.789-46", 0)).toBe(0);
  expect(caretAfter(masks.cpf, "351", 9)).toBe(3);
});
