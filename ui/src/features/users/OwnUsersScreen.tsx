// The users of the seller's current company.
import { useBusiness } from "../../api/session";
import { useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { useList, useListState } from "../../components/table/listState";
import { strings } from "../../strings/pt-BR";
import { usersStrings } from "../../strings/pt-BR.users";
import { userCard, userColumns, userTarget } from "./columns";
import { createdText } from "./createdText";
import { useUserFilters } from "./filters";
import { UsersScreen } from "./UsersScreen";

const words = usersStrings.users;

export function OwnUsersScreen() {
  const business = useBusiness();
  const filters = useUserFilters(strings.roles);
  const list = useListState({ order: "asc" });
  const modals = useModals();
  const flash = useFlash();
  const query = { ...filters.query, business_id: business.id, order: list.order };
  return (
    <UsersScreen
      name="users"
      hint={words.hint}
      {...useList("/business/users", { query }, list, words.file, business.name)}
      columns={userColumns}
      card={userCard}
      target={userTarget}
      list={list}
      filters={filters}
      searchHint={words.searchHint}
      groups={strings.roles}
      flash={flash}
      onNew={() =>
        modals.open("USER_SELLER_VIEW", {}, { onConfirm: (user) => flash.show(createdText(user)) })
      }
    />
  );
}
