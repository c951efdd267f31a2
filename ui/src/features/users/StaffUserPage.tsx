// One seller's user as staff see them: in all their companies, with all that was done to them.
import { useParams } from "react-router";
import { useApi } from "../../api/hooks";
import type { StaffSellerUser } from "../../api/models";
import { History, useHistoryList } from "../../components/history/History";
import { useModals } from "../../components/modals/modals";
import { ServerMessage } from "../../components/ServerMessage";
import { taxId } from "../../format/documents";
import { usersStrings } from "../../strings/pt-BR.users";
import { AccessPanel } from "./AccessPanel";
import { useRemoving, useSwitching } from "./changing";
import { Facts } from "./Facts";
import { type Said, useSaid } from "./said";
import { UserFrame } from "./UserFrame";
import { UserHeading } from "./UserHeading";
import styles from "./Users.module.css";

const words = usersStrings.user;
const HOME = "/usuarios";
const ALL_IS_ALLOWED = {};

export default function StaffUserPage() {
  const { id = "" } = useParams();
  const said = useSaid();
  // Another person's data must not stand at this one's address.
  const user = useApi("/admin/sellers/{id}", { path: { id } }, { keepPrevious: false });
  return (
    <UserFrame home={HOME} read={user}>
      {(found) => (
        <>
          <Heading user={found} said={said} />
          <ServerMessage message={said.text} variant="success" onClose={said.close} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <Facts user={found} more={[[words.document, taxId(found.document)]]} />
              <AccessPanel
                user={found}
                accesses={found.businesses}
                whyNot={() => undefined}
                leaves={() => false}
                onDone={said.say}
                onLeft={said.say}
              />
            </div>
            <Trail id={id} />
          </div>
        </>
      )}
    </UserFrame>
  );
}

function Heading({ user, said }: { user: StaffSellerUser; said: Said }) {
  const modals = useModals();
  return (
    <UserHeading
      home={HOME}
      user={user}
      said={said}
      why={ALL_IS_ALLOWED}
      onEdit={() => modals.open("USER_SELLER_VIEW", { user }, { onConfirm: () => said.say(words.saved) })}
      switching={useSwitching(user)}
      removing={useRemoving(user)}
    />
  );
}

function Trail({ id }: { id: string }) {
  const list = useHistoryList();
  const { page, perPage } = list;
  const query = { page, perPage };
  const history = useApi("/admin/sellers/{id}/history", { path: { id }, query }, { keepPrevious: false });
  return <History subject="user" read={history} list={list} />;
}
