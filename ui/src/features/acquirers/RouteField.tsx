// The acquirers of a payment type in the order in which they are tried, changed by buttons: up, down, remove, add.
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from "@tabler/icons-react";
import type { AcquirerRoute, AcquirerSettings } from "../../api/models";
import rows from "../../components/SettingRows.module.css";
import { paymentTypeName } from "../../format/payment";
import { acquirersStrings as words } from "../../strings/pt-BR.acquirers";
import styles from "./Acquirers.module.css";
import { addable, moved } from "./routeForm";

interface RouteFieldProps {
  settings: AcquirerSettings;
  route: AcquirerRoute;
  value: string[];
  error: string | undefined;
  onChange: (value: string[]) => void;
}

export function RouteField({ settings, route, value, error, onChange }: RouteFieldProps) {
  const type = paymentTypeName(route.payment_type);
  const label = (provider: string) =>
    settings.acquirers.find((acquirer) => acquirer.provider === provider)?.label ?? provider;
  const others = addable(settings, route.payment_type, value);
  return (
    <>
      <ol className={styles.list} aria-label={words.list}>
        {value.map((provider, at) => (
          <li key={provider} className={styles.entry}>
            <span>
              {at + 1}. {label(provider)}
            </span>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={words.up(label(provider))}
              disabled={at === 0}
              onClick={() => onChange(moved(value, at, -1))}
            >
              <IconArrowUp size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={words.down(label(provider))}
              disabled={at === value.length - 1}
              onClick={() => onChange(moved(value, at, 1))}
            >
              <IconArrowDown size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={words.remove(label(provider))}
              onClick={() => onChange(value.filter((other) => other !== provider))}
            >
              <IconX size={18} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ol>
      {value.length === 0 && <p className={rows.warning}>{words.empty(type)}</p>}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      {others.length > 0 && (
        <fieldset className={styles.chips} aria-label={words.addTitle}>
          {others.map(({ provider, label: name }) => (
            <Button
              key={provider}
              variant="default"
              size="sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              aria-label={words.add(name)}
              onClick={() => onChange([...value, provider])}
            >
              {name}
            </Button>
          ))}
        </fieldset>
      )}
    </>
  );
}
