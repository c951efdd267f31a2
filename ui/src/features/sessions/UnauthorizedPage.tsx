// Explains that the user's roles may not open a page, with a link to the home page or the login.
import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { Link, useLocation } from "react-router";
import { panel } from "../../api/panel";
import { useSession } from "../../api/session";
import { Notice } from "../../components/Notice";
import { strings } from "../../strings/pt-BR";
import { sessionsStrings } from "../../strings/pt-BR.sessions";

const words = sessionsStrings.unauthorized;
const roleNames: Readonly<Record<string, string>> = panel === "admin" ? strings.staffRoles : strings.roles;

export default function UnauthorizedPage() {
  const { user, business } = useSession();
  const { state } = useLocation();
  const deniedTitle = (state as { denied?: string } | null)?.denied;
  const roles = (user?.roles ?? []).map((role) => roleNames[role] ?? role).join(", ");
  const inBusiness = business ? words.business(business.name) : "";
  const hint = !user ? words.signedOut : panel === "admin" ? words.staffHint : words.sellerHint;
  return (
    <Notice
      icon={IconLock}
      title={words.title}
      heading="h1"
      action={
        <Button component={Link} to={user ? "/" : "/login"}>
          {user ? strings.buttons.home : sessionsStrings.login.submit}
        </Button>
      }
    >
      {words.text(deniedTitle, roles && roles + inBusiness)} {hint}
    </Notice>
  );
}
