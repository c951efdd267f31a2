// The change of a figure against the previous period: percent and direction, with a word for screen readers.
import { VisuallyHidden } from "@mantine/core";
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from "@tabler/icons-react";
import shared from "../../components/Shared.module.css";
import { percent } from "../../format/money";
import { reportStrings } from "../../strings/pt-BR.reports";
import { type Change, changeOf, type Direction, type FigureKey, figureText, type Sums } from "./figures";
import styles from "./Reports.module.css";

const words = reportStrings.change;
const ICONS: Record<Direction, typeof IconMinus> = {
  up: IconArrowUpRight,
  down: IconArrowDownRight,
  level: IconMinus,
};
/** A change of more than 1,000% is shown as "> 1.000%". */
const RATIO_MAX = 10;

const ratioText = (ratio: number) =>
  Math.abs(ratio) > RATIO_MAX ? `> ${percent(RATIO_MAX)}` : percent(Math.abs(ratio));

function ChangeRatio({ change: { direction, ratio, tone } }: { change: Change }) {
  if (ratio === null) return <span className={shared.dim}>{words.noBefore}</span>;
  const Icon = ICONS[direction];
  return (
    <span className={styles.change} data-tone={tone}>
      <Icon size={14} stroke={2.4} aria-hidden />
      <VisuallyHidden>{words[direction]} </VisuallyHidden>
      {ratioText(ratio)}
    </span>
  );
}

interface ChangeTextProps {
  figure: FigureKey;
  now: Sums;
  before: Sums | undefined;
  /** Whether a change in percent is followed by the previous period's figure. */
  withBefore?: boolean;
}

export function ChangeText({ figure, now, before, withBefore = false }: ChangeTextProps) {
  const change = before && changeOf(figure, now, before);
  if (!change) return null;
  return (
    <>
      <ChangeRatio change={change} />
      {withBefore && change.ratio !== null && ` ${words.before(figureText(figure, before))}`}
    </>
  );
}
