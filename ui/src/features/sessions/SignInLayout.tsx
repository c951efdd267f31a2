// The frame of the pages for the login, for passwords, and for the verification of an e-mail address.
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { panel, product } from "../../api/panel";
import { ProductLogo } from "../../components/ProductLogo";
import { sessionsStrings } from "../../strings/pt-BR.sessions";
import styles from "./SignInLayout.module.css";

const words = sessionsStrings.login;
const staff = panel === "admin";

interface SignInLayoutProps {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

export function SignInLayout({ title, hint, children }: SignInLayoutProps) {
  return (
    <main className={styles.page} id="content">
      <section className={styles.promo} aria-label={product}>
        <ProductLogo />
        <div>
          <p className={styles.promoTitle}>{staff ? words.staffPromo : words.promo}</p>
          {!staff && (
            <ul className={styles.points}>
              {words.promoPoints.map((point) => (
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
          <div className={styles.smallLogo}>
            <ProductLogo />
          </div>
          <h1 className={styles.title}>{title}</h1>
          {hint && <p className={styles.hint}>{hint}</p>}
          {children}
        </div>
      </div>
    </main>
  );
}
