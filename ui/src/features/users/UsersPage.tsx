// The users of the seller's company, as a page of the navigation.
import { OwnUsersScreen } from "./OwnUsersScreen";

export default function UsersPage() {
  return <OwnUsersScreen />;
}
