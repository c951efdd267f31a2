// Switches a link on or off.
import { asFailure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import type { PaymentLink } from "../../api/models";
import { useBusiness } from "../../api/session";
import { linksStrings } from "../../strings/pt-BR.links";

/** Reads that show links. */
export const LINK_READS = ["/payment-link", "/payment-link/{id}"] as const;

export function useSwitch(done: (message: string) => void, refused: (message: string) => void) {
  const business = useBusiness();
  const save = useCommand("PATCH /payment-link/{id}", { refreshes: LINK_READS });
  const run = async ({ id, active, version, description }: PaymentLink) => {
    try {
      await save.run({
        path: { id },
        query: { business_id: business.id },
        body: { active: !active, version },
      });
      done(active ? linksStrings.disabled(description) : linksStrings.enabled(description));
    } catch (error) {
      refused(asFailure(error).message);
    }
  };
  return { running: save.running, run };
}
