// The admin users and their groups.
import { useFlash } from "../../../components/flash";
import { useModals } from "../../../components/modals/modals";
import { useList } from "../../../components/table/useList";
import { usersStrings } from "../../../strings/pt-BR.users";
import { adminUserCard, adminUserColumns, adminUserTarget } from "../columns";
import { ADMIN_FILTERS, userQuery } from "../filters";
import { UsersScreen } from "../UsersScreen";
import { createdText } from "../userText";

const words = usersStrings.staffUsers;

export default function AdminUsersPage() {
  const list = useList("/admin/users", {
    filters: ADMIN_FILTERS,
    query: (chosen, order) => ({ ...userQuery(chosen), order }),
    firstOrder: "asc",
    file: words.file,
  });
  const modals = useModals();
  const flash = useFlash();
  return (
    <UsersScreen
      name="admin-users"
      title={words.title}
      hint={words.hint}
      empty={words.empty}
      columns={adminUserColumns}
      card={adminUserCard}
      target={adminUserTarget}
      list={list}
      flash={flash}
      onNew={() => modals.open("USER_VIEW", {}, { onConfirm: (user) => flash.show(createdText(user)) })}
    />
  );
}
