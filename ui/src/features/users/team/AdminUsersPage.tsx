// The platform's own people: who they are and in which groups.
import { useApi, useDownload } from "../../../api/hooks";
import { useModals } from "../../../components/modals/modals";
import { useListState } from "../../../components/table/listState";
import { strings } from "../../../strings/pt-BR";
import { usersStrings } from "../../../strings/pt-BR.users";
import { adminUserCard, adminUserColumns, adminUserTarget } from "../columns";
import { createdText } from "../createdText";
import { useUserFilters } from "../filters";
import { useSaid } from "../said";
import { UsersScreen } from "../UsersScreen";

const words = usersStrings.staffUsers;

export default function AdminUsersPage() {
  const filters = useUserFilters(strings.staffRoles);
  const list = useListState({ order: "asc" });
  const modals = useModals();
  const said = useSaid();
  const { page, perPage, order } = list;
  const { query } = filters;
  return (
    <UsersScreen
      name="admin-users"
      title={words.title}
      hint={words.hint}
      empty={words.empty}
      read={useApi("/admin/users", { query: { ...query, page, perPage, order } })}
      columns={adminUserColumns}
      card={adminUserCard}
      target={adminUserTarget}
      list={list}
      filters={filters}
      searchHint={usersStrings.users.searchHint}
      groups={strings.staffRoles}
      download={useDownload("/admin/users", { query: { ...query, order } }, words.file)}
      said={said}
      onNew={() => modals.open("USER_VIEW", {}, { onConfirm: (user) => said.say(createdText(user)) })}
    />
  );
}
