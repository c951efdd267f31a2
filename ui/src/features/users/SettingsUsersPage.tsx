// The users of the seller's company, as a page of the settings with a back link.
import { BackLink } from "../../components/PageHeader";
import UsersPage from "./UsersPage";

export default function SettingsUsersPage() {
  return (
    <>
      <BackLink to="/configuracoes" />
      <UsersPage />
    </>
  );
}
