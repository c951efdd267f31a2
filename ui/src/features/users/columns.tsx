// The columns of the lists of users, and the same row as a card. Sellers see a user's group in their company. Staff see
// a user's groups in all companies, and have another list of admin users. Screens call a role a group.
import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import type { AdminUser, SellerUser, StaffSellerUser } from "../../api/models";
import { Instant } from "../../components/Instant";
import { ActiveBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { taxId } from "../../format/documents";
import { usersStrings } from "../../strings/pt-BR.users";
import styles from "./Users.module.css";
import { businessesText, rolesText, roleText, staffRolesText } from "./userText";

const words = usersStrings.users;
const titles = words.columns;

/** The fields that seller users and admin users share. */
interface UserRow {
  id: string;
  name: string;
  email: string;
  active: boolean;
  last_sign_in_at?: string | null;
}

function targetIn(listPath: string) {
  return ({ id, name }: UserRow): RowTarget => ({
    to: `${listPath}/${id}`,
    label: words.open(name),
  });
}

export const userTarget = targetIn("/usuarios");
export const adminUserTarget = targetIn("/ajustes/usuarios");

export const ORDER_COLUMN = "name";
export const HIDDEN_AT_FIRST = ["document"] as const;

/** Text that is cut at the width of its column. The title has the whole text. */
function Truncated({
  column,
  text,
  children = text,
}: {
  column: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <span className={styles.truncated} data-column={column} title={text}>
      {children}
    </span>
  );
}

function columnsOf<Row extends UserRow & RowData>(target: (row: UserRow) => RowTarget) {
  const column = columnsFor<Row>();
  return {
    column,
    name: [
      column.ordered(
        ORDER_COLUMN,
        titles.name,
        (row) => (
          <Truncated column="name" text={row.name}>
            <RowLink target={target(row)}>{row.name}</RowLink>
          </Truncated>
        ),
        { fixed: true },
      ),
    ],
    email: column.shown("email", titles.email, (row) => <Truncated column="email" text={row.email} />),
    state: [
      column.shown("active", titles.active, (row) => <ActiveBadge active={row.active} />),
      column.shown("lastSignIn", titles.lastSignIn, (row) => <LastSignIn user={row} />),
    ],
    /** A column of plain text. */
    text: (id: "document" | "role" | "roles" | "businesses", textOf: (row: Row) => string) =>
      column.shown(id, titles[id], (row) => <Truncated column={id} text={textOf(row)} />),
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

const admins = columnsOf<AdminUser>(adminUserTarget);
export const adminUserColumns = [
  ...admins.name,
  admins.email,
  admins.text("roles", ({ roles }) => staffRolesText(roles)),
  ...admins.state,
];

const card = (user: UserRow, note: string): Card => ({
  title: user.name,
  value: "",
  note: (
    <>
      {note} · <LastSignIn user={user} />
    </>
  ),
  badge: <ActiveBadge active={user.active} />,
});

export const userCard = (user: SellerUser) => card(user, roleText(user.role));
export const staffUserCard = (user: StaffSellerUser) => card(user, businessesText(user));
export const adminUserCard = (user: AdminUser) => card(user, staffRolesText(user.roles));
