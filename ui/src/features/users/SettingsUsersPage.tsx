// The users of the seller's company, as a page of the settings with a back link.
import { usersStrings } from "../../strings/pt-BR.users";
import { BackLink } from "./BackLink";
import { OwnUsersScreen } from "./OwnUsersScreen";

export default function SettingsUsersPage() {
  return (
    <>
      <BackLink to="/configuracoes">{usersStrings.users.backToSettings}</BackLink>
      <OwnUsersScreen />
    </>
  );
}
