// One seller user, as staff see them: all companies, and the whole audit log.
import { useParams } from "react-router";
import { useApi } from "../../api/hooks";
import type { StaffSellerUser } from "../../api/models";
import layout from "../../components/Columns.module.css";
import { type Flash, useFlash } from "../../components/flash";
import { History, useHistory } from "../../components/history/History";
import { useModals } from "../../components/modals/modals";
import { ServerMessage } from "../../components/ServerMessage";
import { taxId } from "../../format/documents";
import { usersStrings } from "../../strings/pt-BR.users";
import { AccessPanel } from "./AccessPanel";
import { useActivation, useDeletion } from "./calls";
import { Facts } from "./Facts";
import { UserFrame } from "./UserFrame";
import { UserHeading } from "./UserHeading";

const words = usersStrings.user;
const HOME = "/usuarios";
const NONE_DISABLED = {};

export default function StaffUserPage() {
  const { id = "" } = useParams();
  const flash = useFlash();
  // Data of another user must not appear at this address.
  const user = useApi("/admin/sellers/{id}", { path: { id } }, { keepPrevious: false });
  return (
    <UserFrame home={HOME} read={user}>
      {(found) => (
        <>
          <Heading user={found} flash={flash} />
          <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
          <div className={layout.columns}>
            <div className={layout.column}>
              <Facts user={found} more={[[words.document, taxId(found.document)]]} />
              <AccessPanel
                user={found}
                accesses={found.businesses}
                disabledReasonOf={() => undefined}
                hidesUser={() => false}
                onDone={flash.show}
                onUserHidden={flash.show}
              />
            </div>
            <AuditLog id={id} />
          </div>
        </>
      )}
    </UserFrame>
  );
}

function Heading({ user, flash }: { user: StaffSellerUser; flash: Flash }) {
  const modals = useModals();
  return (
    <UserHeading
      home={HOME}
      user={user}
      flash={flash}
      disabledReasons={NONE_DISABLED}
      onEdit={() => modals.open("USER_SELLER_VIEW", { user }, { onConfirm: () => flash.show(words.saved) })}
      activation={useActivation(user)}
      deletion={useDeletion(user)}
    />
  );
}

function AuditLog({ id }: { id: string }) {
  const list = useHistory("/admin/sellers/{id}/history", { path: { id }, keepPrevious: false });
  return <History subject="user" list={list} />;
}
