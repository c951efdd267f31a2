// The frame of the pages before sign-in: the product, and a form.
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { panel, product } from "../../api/panel";
import { ProductMark } from "../../components/ProductMark";
import { sessionsStrings } from "../../strings/pt-BR.sessions";
import styles from "./Entrance.module.css";

const words = sessionsStrings.login;
const staff = panel === "admin";

interface EntranceProps {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

export function Entrance({ title, hint, children }: EntranceProps) {
  return (
    <main className={styles.page} id="content">
      <section className={styles.pitch} aria-label={product}>
        <ProductMark />
        <div>
          <p className={styles.pitchTitle}>{staff ? words.staffPitch : words.pitch}</p>
          {!staff && (
            <ul className={styles.points}>
              {words.pitchPoints.map((point) => (
                <li key={point}>
                  <IconCheck size={18} stroke={2.4} aria-hidden />
                  {point}
                </li>
              ))}
            </ul>
          )}
        </div>
      </section>
      <div className={styles.side}>
        <div className={styles.form}>
          <div className={styles.smallMark}>
            <ProductMark />
          </div>
          <h1 className={styles.title}>{title}</h1>
          {hint && <p className={styles.hint}>{hint}</p>}
          {children}
        </div>
      </div>
    </main>
  );
}
