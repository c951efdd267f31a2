// The seller users of all companies, or of the one that staff choose.
import { useDownload } from "../../api/download";
import { useApi } from "../../api/hooks";
import { BusinessSelect, useNamedBusiness } from "../../components/BusinessSelect";
import { useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { useListState } from "../../components/table/listState";
import { usersStrings } from "../../strings/pt-BR.users";
import { staffUserCard, staffUserColumns, userTarget } from "./columns";
import { createdText } from "./createdText";
import { useUserFilters } from "./filters";
import { UsersScreen } from "./UsersScreen";

const words = usersStrings.users;
/** This list has no filter by group: a user may have a different group in each company. */
const NO_GROUPS = {};

export default function StaffUsersPage() {
  const filters = useUserFilters(NO_GROUPS);
  const list = useListState({ order: "asc" });
  const modals = useModals();
  const flash = useFlash();
  const { page, perPage, order } = list;
  const { business } = filters;
  const query = { ...filters.query, ...(business && { business_id: business }) };
  const users = useApi("/admin/sellers", { query: { ...query, page, perPage, order } });
  const chosen = useNamedBusiness(business);
  return (
    <UsersScreen
      name="staff-users"
      hint={words.staffHint}
      read={users}
      columns={staffUserColumns}
      card={staffUserCard}
      target={userTarget}
      list={list}
      filters={filters}
      searchHint={words.staffSearchHint}
      companyFilter={
        <BusinessSelect
          label={words.business}
          placeholder={words.allFeminine}
          size="sm"
          value={business}
          onChange={(id) => filters.change({ business: id })}
          chosen={chosen}
        />
      }
      download={useDownload("/admin/sellers", { query: { ...query, order } }, words.file, chosen?.name)}
      flash={flash}
      onNew={() =>
        modals.open("USER_SELLER_VIEW", {}, { onConfirm: (user) => flash.show(createdText(user)) })
      }
    />
  );
}
