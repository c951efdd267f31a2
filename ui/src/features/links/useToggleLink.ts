// Enables a payment link, or disables an enabled one.
import { asFailure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import type { PaymentLink } from "../../api/models";
import { useBusiness } from "../../api/session";
import { linksStrings } from "../../strings/pt-BR.links";

/** The reads that a change of a link makes outdated. */
export const LINK_READS = ["/payment-link", "/payment-link/{id}"] as const;

export function useToggleLink(onDone: (message: string) => void, onFailure: (message: string) => void) {
  const business = useBusiness();
  const save = useCommand("PATCH /payment-link/{id}", { refreshes: LINK_READS });
  const run = async ({ id, active, version, description }: PaymentLink) => {
    try {
      await save.run({
        path: { id },
        query: { business_id: business.id },
        body: { active: !active, version },
      });
      onDone(active ? linksStrings.disabled(description) : linksStrings.enabled(description));
    } catch (error) {
      onFailure(asFailure(error).message);
    }
  };
  return { running: save.running, run };
}
