// Where staff choose the instant that they want to look at, and by which of the two times it is meant.
import { Button, Radio } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTimeZone } from "../../api/session";
import { InstantInput } from "../../components/forms/MaskedInput";
import { Panel } from "../../components/Panel";
import { instantOfTyped, typedInstant } from "../../format/dates";
import { zoneName } from "../../format/timeZones";
import { strings } from "../../strings/pt-BR";
import styles from "./AsOf.module.css";
import { type AsOf, AXES, type Axis } from "./asOf";

const words = strings.asOf;

export default function AsOfForm({ asOf }: { asOf: AsOf }) {
  const zone = useTimeZone();
  // What is being changed; without it the form says what is shown.
  const [typed, setTyped] = useState<string>();
  const [chosen, setChosen] = useState<Axis>();
  const [wrong, setWrong] = useState<string>();
  const text = typed ?? (asOf.at ? typedInstant(asOf.at, zone) : "");
  const axis = chosen ?? asOf.axis;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const instant = instantOfTyped(text, zone);
    const ahead = instant !== undefined && Date.parse(instant) > Date.now();
    setWrong(ahead ? words.instantAhead : instant ? undefined : words.instantRequired);
    if (!instant || ahead) return;
    setTyped(undefined);
    setChosen(undefined);
    // An untouched field has lost the fractions of the second that it shows.
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
