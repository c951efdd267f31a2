import { expect, it } from "vitest";
import type { SellerRole } from "../../api/models";
import { accessDisabledReason, canManage, companiesOffered, groupOf, groupsOffered, roleOf } from "./groups";

const own = (id: string, role: SellerRole) => ({ id, name: id, role });

it.each([
  ["owner", "owner", false],
  ["owner", "admin", true],
  ["owner", "operator", true],
  ["admin", "owner", false],
  ["admin", "admin", false],
  ["admin", "operator", true],
  ["operator", "owner", false],
  ["operator", "admin", false],
  ["operator", "operator", false],
  [undefined, "operator", false],
] as const)("whether an %s can manage an %s: %s", (mine, role, may) => {
  expect(canManage(mine, role)).toBe(may);
});

it.each([
  [[own("a", "owner")], ["admin", "operator"]],
  [[own("a", "admin")], ["operator"]],
  [[own("a", "admin"), own("b", "operator")], ["operator"]],
  [
    [own("a", "admin"), own("b", "owner")],
    ["admin", "operator"],
  ],
  [[own("a", "operator")], []],
])("the companies %o offer the groups %o", (companies, groups) =>
  expect(groupsOffered(companies)).toEqual(groups),
);

it.each([
  ["2", ["mine"]],
  ["7", ["mine", "managed"]],
  ["", ["mine", "managed"]],
] as const)("group '%s' is offered in %o", (group, ids) => {
  const companies = [own("mine", "owner"), own("managed", "admin"), own("served", "operator")];
  expect(companiesOffered(companies, group).map(({ id }) => id)).toEqual(ids);
});

it("converts a role to its group and back", () => {
  for (const role of ["owner", "admin", "operator"] as const) expect(roleOf(groupOf(role))).toBe(role);
  expect(roleOf("")).toBeUndefined();
});

it("names the reason why an access cannot change", () => {
  expect(accessDisabledReason(true, "operator")).toBe("Você não pode alterar seu próprio acesso.");
  expect(accessDisabledReason(false, "owner")).toContain("equipe da plataforma");
  expect(accessDisabledReason(false, "admin")).toContain("proprietário da empresa");
});
