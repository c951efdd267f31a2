// The seller users of all companies, or of the one that staff choose.
import { useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { useList } from "../../components/table/useList";
import { usersStrings } from "../../strings/pt-BR.users";
import { staffUserCard, staffUserColumns, userTarget } from "./columns";
import { STAFF_FILTERS, userQuery } from "./filters";
import { UsersScreen } from "./UsersScreen";
import { createdText } from "./userText";

const words = usersStrings.users;

export default function StaffUsersPage() {
  const list = useList("/admin/sellers", {
    filters: STAFF_FILTERS,
    query: (chosen, order) => ({ ...userQuery(chosen), order }),
    firstOrder: "asc",
    file: words.file,
  });
  const modals = useModals();
  const flash = useFlash();
  return (
    <UsersScreen
      name="staff-users"
      hint={words.staffHint}
      columns={staffUserColumns}
      card={staffUserCard}
      target={userTarget}
      list={list}
      flash={flash}
      onNew={() =>
        modals.open("USER_SELLER_VIEW", {}, { onConfirm: (user) => flash.show(createdText(user)) })
      }
    />
  );
}
