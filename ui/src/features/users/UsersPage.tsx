// The users of the seller's company, from the navigation.
import { OwnUsersScreen } from "./OwnUsersScreen";

export default function UsersPage() {
  return <OwnUsersScreen />;
}
