// Which parts of the staff's home have a card.
import type { AdminOverview } from "../../api/models";

/**
 * Whether a part of the overview has a card. The gateway sends null for parts that the role may not see. Until the
 * answer arrives, the role's right to the corresponding call decides.
 */
export const hasCard = (overview: AdminOverview | undefined, part: unknown, mayCall: boolean) =>
  overview ? part !== null && part !== undefined : mayCall;
