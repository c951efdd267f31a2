// The settings: a card for each screen that the user may open.
import {
  IconActivity,
  IconAddressBook,
  IconAlertHexagon,
  IconBeach,
  IconBuildingBank,
  IconBuildingStore,
  IconChevronRight,
  IconCreditCardPay,
  IconListCheck,
  IconMessages,
  IconPalette,
  IconReceiptTax,
  IconScale,
  IconUserCircle,
  IconUserShield,
} from "@tabler/icons-react";
import { Link } from "react-router";
import { screenTitle, useOpenable } from "../../api/access";
import { type PanelName, panel } from "../../api/panel";
import { PageHeader } from "../../components/PageHeader";
import { settingsStrings } from "../../strings/pt-BR.settings";
import styles from "./Settings.module.css";

const words = settingsStrings.settings;

type Card = readonly [route: keyof typeof words.cards, icon: typeof IconPalette];

const CARDS: Record<PanelName, readonly Card[]> = {
  seller: [
    ["/dados-da-empresa", IconBuildingStore],
    ["/configuracoes/conta-bancaria", IconBuildingBank],
    ["/configuracoes/usuarios", IconAddressBook],
    ["/minha-conta", IconUserCircle],
  ],
  admin: [
    ["/ajustes/usuarios", IconAddressBook],
    ["/ajustes/configuracoes", IconPalette],
    ["/ajustes/regras", IconListCheck],
    ["/ajustes/adquirentes", IconCreditCardPay],
    ["/ajustes/planos", IconReceiptTax],
    ["/ajustes/feriados", IconBeach],
    ["/ajustes/compradores", IconUserShield],
    ["/ajustes/mensagens", IconMessages],
    ["/ajustes/excecoes", IconAlertHexagon],
    ["/ajustes/conciliacao", IconScale],
    ["/ajustes/operacao", IconActivity],
    ["/minha-conta", IconUserCircle],
  ],
};

const SETTINGS: Record<PanelName, readonly [route: string, hint: string]> = {
  seller: ["/configuracoes", words.seller],
  admin: ["/ajustes", words.staff],
};

export default function SettingsPage() {
  const mayOpen = useOpenable();
  const [settings, hint] = SETTINGS[panel];
  return (
    <>
      <PageHeader title={screenTitle(settings)} hint={hint} />
      <ul className={styles.cards}>
        {CARDS[panel]
          .filter(([route]) => mayOpen(route))
          .map(([route, Icon]) => (
            <li key={route}>
              <Link to={route} className={styles.card}>
                <span className={styles.icon}>
                  <Icon size={22} stroke={1.7} aria-hidden />
                </span>
                <span className={styles.text}>
                  <strong>{screenTitle(route)}</strong>
                  <span>{words.cards[route]}</span>
                </span>
                <IconChevronRight size={18} aria-hidden className={styles.arrow} />
              </Link>
            </li>
          ))}
      </ul>
    </>
  );
}
