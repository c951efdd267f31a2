// The admin users and their groups.
import { useFlash } from "../../../components/flash";
import { useModals } from "../../../components/modals/modals";
import { useList, useListState } from "../../../components/table/listState";
import { strings } from "../../../strings/pt-BR";
import { usersStrings } from "../../../strings/pt-BR.users";
import { adminUserCard, adminUserColumns, adminUserTarget } from "../columns";
import { createdText } from "../createdText";
import { useUserFilters } from "../filters";
import { UsersScreen } from "../UsersScreen";

const words = usersStrings.staffUsers;

export default function AdminUsersPage() {
  const filters = useUserFilters(strings.staffRoles);
  const list = useListState({ order: "asc" });
  const modals = useModals();
  const flash = useFlash();
  const query = { ...filters.query, order: list.order };
  return (
    <UsersScreen
      name="admin-users"
      title={words.title}
      hint={words.hint}
      empty={words.empty}
      {...useList("/admin/users", { query }, list, words.file)}
      columns={adminUserColumns}
      card={adminUserCard}
      target={adminUserTarget}
      list={list}
      filters={filters}
      searchHint={usersStrings.users.searchHint}
      groups={strings.staffRoles}
      flash={flash}
      onNew={() => modals.open("USER_VIEW", {}, { onConfirm: (user) => flash.show(createdText(user)) })}
    />
  );
}
