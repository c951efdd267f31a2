import { expect, it } from "vitest";
import { netOf } from "./net";

it.each([
  [501, 1],
  [500, 0],
  [499, 0],
  [0, 0],
  [undefined, 0],
])("a withdrawal of %s with a fee of R$ 5,00 pays %s", (amount, net) => expect(netOf(amount, 500)).toBe(net));
