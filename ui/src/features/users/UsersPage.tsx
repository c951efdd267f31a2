// The users of the seller's current company: a page of the navigation, and of the settings.
import { useBusiness } from "../../api/session";
import { useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { useList } from "../../components/table/useList";
import { usersStrings } from "../../strings/pt-BR.users";
import { userCard, userColumns, userTarget } from "./columns";
import { OWN_FILTERS, userQuery } from "./filters";
import { UsersScreen } from "./UsersScreen";
import { createdText } from "./userText";

const words = usersStrings.users;

export default function UsersPage() {
  const business = useBusiness();
  const list = useList("/business/users", {
    filters: OWN_FILTERS,
    query: (chosen, order) => ({ ...userQuery(chosen), business_id: business.id, order }),
    firstOrder: "asc",
    file: words.file,
    company: business.name,
  });
  const modals = useModals();
  const flash = useFlash();
  return (
    <UsersScreen
      name="users"
      hint={words.hint}
      columns={userColumns}
      card={userCard}
      target={userTarget}
      list={list}
      flash={flash}
      onNew={() =>
        modals.open("USER_SELLER_VIEW", {}, { onConfirm: (user) => flash.show(createdText(user)) })
      }
    />
  );
}
