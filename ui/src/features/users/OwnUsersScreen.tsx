// The users of the seller's current company.
import { useApi, useDownload } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useModals } from "../../components/modals/modals";
import { useListState } from "../../components/table/listState";
import { strings } from "../../strings/pt-BR";
import { usersStrings } from "../../strings/pt-BR.users";
import { userCard, userColumns, userTarget } from "./columns";
import { createdText } from "./createdText";
import { useUserFilters } from "./filters";
import { useSaid } from "./said";
import { UsersScreen } from "./UsersScreen";

const words = usersStrings.users;

export function OwnUsersScreen() {
  const business = useBusiness();
  const filters = useUserFilters(strings.roles);
  const list = useListState({ order: "asc" });
  const modals = useModals();
  const said = useSaid();
  const { page, perPage, order } = list;
  const query = { ...filters.query, business_id: business.id };
  return (
    <UsersScreen
      name="users"
      hint={words.hint}
      read={useApi("/business/users", { query: { ...query, page, perPage, order } })}
      columns={userColumns}
      card={userCard}
      target={userTarget}
      list={list}
      filters={filters}
      searchHint={words.searchHint}
      groups={strings.roles}
      download={useDownload("/business/users", { query: { ...query, order } }, words.file, business.name)}
      said={said}
      onNew={() => modals.open("USER_SELLER_VIEW", {}, { onConfirm: (user) => said.say(createdText(user)) })}
    />
  );
}
