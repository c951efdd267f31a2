// The users of the seller's company as a part of the settings, with the way back there.
import { strings } from "../../strings/pt-BR";
import { BackLink } from "./BackLink";
import { OwnUsersScreen } from "./OwnUsersScreen";

export default function SettingsUsersPage() {
  return (
    <>
      <BackLink to="/configuracoes">{strings.users.backToSettings}</BackLink>
      <OwnUsersScreen />
    </>
  );
}
