// The columns of the lists of users, and the same row as a card. Sellers see the group in their company, staff all
// companies of a user, and the groups of admin users.
import { createColumnHelper, type RowData } from "@tanstack/react-table";
import type { AdminUser, SellerUser, StaffSellerUser } from "../../api/models";
import { Instant } from "../../components/Instant";
import { ActiveBadge } from "../../components/StatusBadge";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { taxId } from "../../format/documents";
import { truncate } from "../../format/text";
import { usersStrings } from "../../strings/pt-BR.users";
import { businessesText, rolesText, roleText, staffRolesText } from "./userText";

const words = usersStrings.users;
const titles = words.columns;

/** The fields that users of both panels have. */
interface UserRow {
  id: string;
  name: string;
  email: string;
  active: boolean;
  last_sign_in_at?: string | null;
}

/** The page of a user. The navigation keeps the list's address, so that the way back restores filters and page. */
function targetIn(folder: string) {
  return ({ id, name }: UserRow): RowTarget => ({
    to: `${folder}/${id}`,
    state: { list: window.location.pathname + window.location.search },
    label: words.open(name),
  });
}

export const userTarget = targetIn("/usuarios");
export const adminUserTarget = targetIn("/ajustes/usuarios");

export const ORDER_COLUMN = "name";
export const HIDDEN_AT_FIRST = ["document"] as const;

/** In characters, so that all columns fit at 1440 px. A cell's title has the whole text. */
const LENGTH_MAX = { name: 32, email: 33, document: 18, role: 24, roles: 24, businesses: 36 } as const;

function columnsOf<Row extends UserRow & RowData>(target: (row: UserRow) => RowTarget) {
  const column = createColumnHelper<Features, Row>();
  return {
    column,
    name: column.columns([
      column.accessor((user) => user.name, {
        id: ORDER_COLUMN,
        header: titles.name,
        enableHiding: false,
        cell: ({ row }) => (
          <RowLink target={target(row.original)}>{truncate(row.original.name, LENGTH_MAX.name)}</RowLink>
        ),
      }),
    ]),
    email: column.display({
      id: "email",
      header: titles.email,
      enableSorting: false,
      cell: ({ row }) => (
        <span title={row.original.email}>{truncate(row.original.email, LENGTH_MAX.email)}</span>
      ),
    }),
    state: column.columns([
      column.display({
        id: "active",
        header: titles.active,
        enableSorting: false,
        cell: ({ row }) => <ActiveBadge active={row.original.active} />,
      }),
      column.display({
        id: "lastSignIn",
        header: titles.lastSignIn,
        enableSorting: false,
        cell: ({ row }) => <LastSignIn user={row.original} />,
      }),
    ]),
    /** A column of plain text. */
    text: (id: "document" | "role" | "roles" | "businesses", textOf: (row: Row) => string) =>
      column.display({
        id,
        header: titles[id],
        enableSorting: false,
        cell: ({ row }) => (
          <span title={textOf(row.original)}>{truncate(textOf(row.original), LENGTH_MAX[id])}</span>
        ),
      }),
  };
}

export function LastSignIn({ user: { last_sign_in_at } }: { user: Pick<UserRow, "last_sign_in_at"> }) {
  return last_sign_in_at ? <Instant at={last_sign_in_at} /> : words.neverSignedIn;
}

const own = columnsOf<SellerUser>(userTarget);
export const userColumns = [
  ...own.name,
  own.email,
  own.text("document", ({ document }) => taxId(document)),
  own.text("role", ({ role }) => roleText(role)),
  own.text("businesses", businessesText),
  ...own.state,
];

const staff = columnsOf<StaffSellerUser>(userTarget);
export const staffUserColumns = [
  ...staff.name,
  staff.email,
  staff.text("document", ({ document }) => taxId(document)),
  staff.text("roles", rolesText),
  staff.text("businesses", businessesText),
  ...staff.state,
];

const team = columnsOf<AdminUser>(adminUserTarget);
export const adminUserColumns = [
  ...team.name,
  team.email,
  team.text("roles", ({ roles }) => staffRolesText(roles)),
  ...team.state,
];

const card = (user: UserRow, note: string): Card => ({
  title: user.name,
  value: "",
  note: (
    <>
      {note} · <LastSignIn user={user} />
    </>
  ),
  mark: <ActiveBadge active={user.active} />,
});

export const userCard = (user: SellerUser) => card(user, roleText(user.role));
export const staffUserCard = (user: StaffSellerUser) => card(user, businessesText(user));
export const adminUserCard = (user: AdminUser) => card(user, staffRolesText(user.roles));
