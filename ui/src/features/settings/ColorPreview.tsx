// A preview of a tenant's two colors as the panels use them, in light and in dark.
import type { CSSProperties } from "react";
import { GRAPHIC_RATIO, isColor, readableOn, TEXT_RATIO, textColorOn } from "../../format/color";
import { settingsStrings } from "../../strings/pt-BR.settings";
import styles from "./Tenants.module.css";

const words = settingsStrings.tenants;
/** The colors of `--surface` in the two themes (global.css). */
const BACKGROUNDS = { light: "#ffffff", dark: "#151c18" } as const;

interface ColorPreviewProps {
  name: string;
  theme: string;
  highlight: string;
}

/** Empty while a color is incomplete. Decorative: the codes are next to it as text. */
export function ColorPreview({ name, theme, highlight }: ColorPreviewProps) {
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
          <span className={styles.logo}>{name.trim().slice(0, 1).toUpperCase()}</span>
          <span className={styles.button}>{words.previewButton}</span>
          <span className={styles.link}>{words.previewLink}</span>
          <span className={styles.stroke} />
        </div>
      ))}
    </div>
  );
}

function paint(scheme: keyof typeof BACKGROUNDS, theme: string, highlight: string): CSSProperties {
  const background = BACKGROUNDS[scheme];
  return {
    "--preview-background": background,
    "--preview-brand": theme,
    "--preview-text": textColorOn(theme),
    "--preview-link": readableOn([background], theme, TEXT_RATIO),
    "--preview-line": readableOn([background], scheme === "dark" ? highlight : theme, GRAPHIC_RATIO),
  } as CSSProperties;
}
