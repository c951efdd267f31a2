// The witnesses that cosigned a checkpoint, with the instants at which they did.
import type { CheckpointWitness } from "../../api/historySchema";
import { Instant } from "../../components/Instant";
import { proofStrings } from "../../strings/pt-BR.proofs";
import styles from "./History.module.css";

const words = proofStrings.checks;

export function WitnessList({ witnesses }: { witnesses: readonly CheckpointWitness[] }) {
  if (witnesses.length === 0) return words.noWitnesses;
  return (
    <ul className={styles.witnesses}>
      {witnesses.map(({ name, cosigned_at }) => (
        <li key={name}>
          {words.witnessed(name)}
          <Instant at={cosigned_at} />
        </li>
      ))}
    </ul>
  );
}
