// The header of a user's page: the name, whether the user is active, and the actions on the user.
import type { ComponentProps, ReactNode } from "react";
import { useNavigate } from "react-router";
import { useListAddress } from "../../api/visits";
import { type Flash, flashState } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { ActiveBadge } from "../../components/StatusBadge";
import { usersStrings } from "../../strings/pt-BR.users";
import { UserActions } from "./UserActions";

const words = usersStrings.user;

type Actions = ComponentProps<typeof UserActions>;

interface UserHeadingProps extends Omit<Actions, "onActivationChange" | "onDeleted"> {
  /** The list that the page belongs to. */
  home: string;
  hint?: ReactNode;
  flash: Flash;
}

export function UserHeading({ home, hint, flash, ...actions }: UserHeadingProps) {
  const { name, active } = actions.user;
  const navigate = useNavigate();
  const list = useListAddress(home);
  return (
    <PageHeader
      title={name}
      badge={<ActiveBadge active={active} />}
      hint={hint}
      actions={
        <UserActions
          {...actions}
          onActivationChange={(now) => flash.show(now ? words.activated : words.deactivated)}
          onDeleted={() => navigate(list, { state: flashState(words.removed(name)) })}
        />
      }
    />
  );
}
