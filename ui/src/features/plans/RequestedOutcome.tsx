// Replaces a plan's form after a save that a second person must approve. The plan has not changed yet.
import { Button, Group } from "@mantine/core";
import { Link } from "react-router";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";
import styles from "./Plans.module.css";

const words = plansStrings.plans;

export function RequestedOutcome({ plan, onClose }: { plan: string; onClose: () => void }) {
  return (
    <div className={styles.impact}>
      <p role="status" className={styles.warning}>
        {words.requested(plan)}
      </p>
      <Group justify="flex-end" gap="sm">
        <Button
          component={Link}
          variant="default"
          to="/ajustes/planos?tab=mudancas&status=pending"
          onClick={onClose}
        >
          {words.seeChanges}
        </Button>
        <Button data-autofocus onClick={onClose}>
          {strings.buttons.close}
        </Button>
      </Group>
    </div>
  );
}
