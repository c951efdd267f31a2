// One user of the seller's company: data, access, and audit log.
import { useNavigate, useParams } from "react-router";
import { useApi } from "../../api/hooks";
import type { SellerUser } from "../../api/models";
import { useBusiness, useSession } from "../../api/session";
import { useListAddress } from "../../api/visits";
import layout from "../../components/Columns.module.css";
import { type Flash, flashState, useFlash } from "../../components/flash";
import { History, useHistory } from "../../components/history/History";
import { useModals } from "../../components/modals/modals";
import { ServerMessage } from "../../components/ServerMessage";
import { taxId } from "../../format/documents";
import { usersStrings } from "../../strings/pt-BR.users";
import { AccessPanel } from "./AccessPanel";
import { useActivation, useDeletion } from "./calls";
import { Facts } from "./Facts";
import { accessDisabledReason, companiesOffered } from "./groups";
import { SelfNote } from "./SelfNote";
import { UserFrame } from "./UserFrame";
import { UserHeading } from "./UserHeading";
import { roleText } from "./userText";

const words = usersStrings.user;
const HOME = "/usuarios";

export default function UserPage() {
  const { id = "" } = useParams();
  const business = useBusiness();
  const flash = useFlash();
  const query = { business_id: business.id };
  // Data of another user must not appear at this address.
  const user = useApi("/business/users/{id}", { path: { id }, query }, { keepPrevious: false });
  return (
    <UserFrame home={HOME} read={user}>
      {(found) => (
        <>
          <Heading user={found} flash={flash} />
          <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
          {found.is_self && <SelfNote />}
          <div className={layout.columns}>
            <div className={layout.column}>
              <Facts user={found} more={[[words.document, taxId(found.document)]]} />
              <Accesses user={found} flash={flash} />
            </div>
            <AuditLog id={id} businessId={business.id} />
          </div>
        </>
      )}
    </UserFrame>
  );
}

interface PartProps {
  user: SellerUser;
  flash: Flash;
}

function Heading({ user, flash }: PartProps) {
  const { businesses } = useSession();
  const modals = useModals();
  const navigate = useNavigate();
  const list = useListAddress(HOME);
  const userDisabledReason = user.is_self
    ? words.disabledReasons.self
    : user.editable
      ? undefined
      : words.disabledReasons.notManaged;
  const canAdd = companiesOffered(businesses, "").some(
    ({ id }) => !user.businesses.some((had) => had.id === id),
  );
  // The signed-in seller may change accesses in companies that they manage, even if they cannot edit the user's data.
  const editsAccess = !user.is_self && (canAdd || user.businesses.some(({ changeable }) => changeable));
  const saved = (after: object) => {
    // Without a group in the current company, the user is no longer visible to the seller.
    if ("role" in after && after.role === null) navigate(list, { state: flashState(words.saved) });
    else flash.show(words.saved);
  };
  return (
    <UserHeading
      home={HOME}
      user={user}
      hint={roleText(user.role)}
      flash={flash}
      disabledReasons={{
        edit: editsAccess ? undefined : userDisabledReason,
        activation: userDisabledReason,
        deletion: userDisabledReason,
      }}
      onEdit={() => modals.open("USER_SELLER_VIEW", { user }, { onConfirm: saved })}
      activation={useActivation(user)}
      deletion={useDeletion(user)}
    />
  );
}

function Accesses({ user, flash }: PartProps) {
  const { businesses } = useSession();
  const business = useBusiness();
  const navigate = useNavigate();
  const list = useListAddress(HOME);
  return (
    <AccessPanel
      user={user}
      accesses={user.businesses}
      otherCompanies={user.other_businesses}
      companies={companiesOffered(businesses, "")}
      disabledReasonOf={({ id, role }) =>
        user.businesses.some((access) => access.id === id && access.changeable)
          ? undefined
          : accessDisabledReason(user.is_self, role)
      }
      grantDisabledReason={user.is_self ? words.disabledReasons.selfAccess : undefined}
      hidesUser={({ id }) => id === business.id}
      onDone={flash.show}
      onUserHidden={(message) => navigate(list, { state: flashState(message) })}
    />
  );
}

function AuditLog({ id, businessId }: { id: string; businessId: string }) {
  const list = useHistory("/business/users/{id}/history", {
    path: { id },
    query: () => ({ business_id: businessId }),
    keepPrevious: false,
  });
  return <History subject="user" list={list} />;
}
