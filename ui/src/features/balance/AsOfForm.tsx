// The form in which staff choose the instant of a past balance and its axis of time.
import { Button, Radio } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { businessNow } from "../../api/serverClock";
import { useTimeZone } from "../../api/session";
import { InstantInput } from "../../components/forms/MaskedInput";
import { Panel } from "../../components/Panel";
import { instantOfTyped, typedInstant } from "../../format/dates";
import { zoneName } from "../../format/timeZones";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import styles from "./AsOf.module.css";
import { type AsOf, AXES, type Axis } from "./asOf";

const words = ledgerStrings.asOf;

export default function AsOfForm({ asOf }: { asOf: AsOf }) {
  const zone = useTimeZone();
  // The edited value; undefined while the form shows the current one.
  const [typed, setTyped] = useState<string>();
  const [chosen, setChosen] = useState<Axis>();
  const [wrong, setWrong] = useState<string>();
  const text = typed ?? (asOf.at ? typedInstant(asOf.at, zone) : "");
  const axis = chosen ?? asOf.axis;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const instant = instantOfTyped(text, zone);
    const ahead = instant !== undefined && Date.parse(instant) > businessNow().getTime();
    setWrong(ahead ? words.instantAhead : instant ? undefined : words.instantRequired);
    if (!instant || ahead) return;
    setTyped(undefined);
    setChosen(undefined);
    // The field shows no fractions of a second, so an unedited field must not replace the exact instant.
    void asOf.show(typed === undefined && asOf.at ? asOf.at : instant, axis);
  };
  return (
    <Panel title={words.title} hint={words.hint}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <InstantInput
          label={words.instant}
          description={words.zone(zoneName(zone))}
          placeholder={words.placeholder}
          error={wrong}
          value={text}
          onChange={(digits) => {
            setTyped(digits);
            setWrong(undefined);
          }}
        />
        <Radio.Group label={words.axis} value={axis} onChange={(next) => setChosen(next as Axis)}>
          <div className={styles.axes}>
            {AXES.map((each) => (
              <Radio
                key={each}
                value={each}
                label={words.axes[each]}
                description={words.axisHints[each]}
                classNames={{ description: styles.axisHint }}
              />
            ))}
          </div>
        </Radio.Group>
        <Button type="submit" variant="default" leftSection={<IconHistory size={17} aria-hidden />}>
          {words.show}
        </Button>
      </form>
    </Panel>
  );
}
