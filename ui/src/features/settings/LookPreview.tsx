// A preview of a tenant's two colors as the panels use them, in light and in dark.
import type { CSSProperties } from "react";
import { inkOn, isColor, readableOn, SIGN_RATIO, TEXT_RATIO } from "../../format/color";
import { settingsStrings } from "../../strings/pt-BR.settings";
import styles from "./Tenants.module.css";

const words = settingsStrings.tenants;
const GROUNDS = { light: "#ffffff", dark: "#151c18" } as const;

interface LookPreviewProps {
  name: string;
  theme: string;
  highlight: string;
}

/** Empty while a color is incomplete. Decorative: the codes are next to it as text. */
export function LookPreview({ name, theme, highlight }: LookPreviewProps) {
  if (!isColor(theme) || !isColor(highlight)) return null;
  return (
    <div className={styles.previews} aria-hidden>
      {(["light", "dark"] as const).map((scheme) => (
        <div
          key={scheme}
          className={styles.preview}
          data-scheme={scheme}
          style={paint(scheme, theme, highlight)}
        >
          <span className={styles.sign}>{name.trim().slice(0, 1).toUpperCase()}</span>
          <span className={styles.button}>{words.previewButton}</span>
          <span className={styles.link}>{words.previewLink}</span>
          <span className={styles.stroke} />
        </div>
      ))}
    </div>
  );
}

function paint(scheme: keyof typeof GROUNDS, theme: string, highlight: string): CSSProperties {
  const ground = GROUNDS[scheme];
  return {
    "--shown-ground": ground,
    "--shown-brand": theme,
    "--shown-ink": inkOn(theme),
    "--shown-link": readableOn([ground], theme, TEXT_RATIO),
    "--shown-line": readableOn([ground], scheme === "dark" ? highlight : theme, SIGN_RATIO),
  } as CSSProperties;
}
