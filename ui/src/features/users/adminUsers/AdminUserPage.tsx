// One admin user: name, roles (groups on screen), and the history of changes.
import { useParams } from "react-router";
import { useApi, useCommand } from "../../../api/hooks";
import type { AdminUser } from "../../../api/models";
import layout from "../../../components/Columns.module.css";
import { type Flash, useFlash } from "../../../components/flash";
import { History, useHistory } from "../../../components/history/History";
import { useModals } from "../../../components/modals/modals";
import { ServerMessage } from "../../../components/ServerMessage";
import { usersStrings } from "../../../strings/pt-BR.users";
import { Facts } from "../Facts";
import { SelfNote } from "../SelfNote";
import { UserFrame } from "../UserFrame";
import { UserHeading } from "../UserHeading";
import { staffRolesText } from "../userText";
import { disabledReasons } from "./disabledReasons";

const words = usersStrings.user;
const HOME = "/ajustes/usuarios";

export default function AdminUserPage() {
  const { id = "" } = useParams();
  const flash = useFlash();
  // Data of another user must not appear at this address.
  const user = useApi("/admin/users/{id}", { path: { id } }, { keepPrevious: false });
  return (
    <UserFrame home={HOME} read={user}>
      {(found) => (
        <>
          <Heading user={found} flash={flash} />
          <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
          {found.is_self && <SelfNote />}
          <div className={layout.columns}>
            <div className={layout.column}>
              <Facts user={found} more={[[words.roles, staffRolesText(found.roles)]]} />
            </div>
            <AuditLog id={id} />
          </div>
        </>
      )}
    </UserFrame>
  );
}

function Heading({ user, flash }: { user: AdminUser; flash: Flash }) {
  const { id } = user;
  const modals = useModals();
  const update = useCommand("PATCH /admin/users/{id}", {
    refreshes: ["/admin/users", "/admin/users/{id}", "/admin/users/{id}/history"],
  });
  // The page of a deleted user is not read again.
  const remove = useCommand("DELETE /admin/users/{id}", { refreshes: ["/admin/users"] });
  return (
    <UserHeading
      home={HOME}
      user={user}
      hint={staffRolesText(user.roles)}
      flash={flash}
      disabledReasons={disabledReasons(user)}
      onEdit={() => modals.open("USER_VIEW", { user }, { onConfirm: () => flash.show(words.saved) })}
      activation={{ ...update, run: (active: boolean) => update.run({ path: { id }, body: { active } }) }}
      deletion={{ ...remove, run: () => remove.run({ path: { id } }) }}
    />
  );
}

function AuditLog({ id }: { id: string }) {
  const list = useHistory("/admin/users/{id}/history", { path: { id }, keepPrevious: false });
  return <History subject="user" list={list} />;
}
