// The link to the page of a withdrawal. Users who may not open the page see the text alone.
import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useMayOpen } from "../api/access";
import type { BalanceMovement } from "../api/models";
import { type PanelName, panel } from "../api/panel";

const LISTS = { seller: "/financeiro/saques", admin: "/saques" } as const satisfies Record<PanelName, string>;

export const withdrawalAddress = (id: string) => `${LISTS[panel]}/${id}`;

export const useMayOpenWithdrawal = () => useMayOpen(`${LISTS[panel]}/:id`);

/** The withdrawal of a movement; undefined for other movements. */
export function withdrawalOf({
  movement,
  transfer_id,
}: Pick<BalanceMovement, "movement" | "transfer_id">): string | undefined {
  return movement.startsWith("withdrawal") ? (transfer_id ?? undefined) : undefined;
}

interface WithdrawalLinkProps {
  /** Undefined: nothing to link to. */
  id: string | undefined;
  /** For screen readers, where the content does not name the withdrawal. */
  label?: string;
  children: ReactNode;
}

export function WithdrawalLink({ id, label, children }: WithdrawalLinkProps) {
  const mayOpen = useMayOpenWithdrawal();
  if (!id || !mayOpen) return <>{children}</>;
  return (
    // A target of 24 px in a row that stays as high as its text.
    <Anchor
      component={Link}
      to={withdrawalAddress(id)}
      inherit
      underline="always"
      display="inline-block"
      py={3}
      my={-3}
      aria-label={label}
    >
      {children}
    </Anchor>
  );
}
