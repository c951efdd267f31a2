// The settings: a card for each screen that the user may open.
import {
  IconAddressBook,
  IconBeach,
  IconBuildingBank,
  IconBuildingStore,
  IconCreditCardPay,
  IconListCheck,
  IconPalette,
  IconReceiptTax,
  IconUserCircle,
  IconUserShield,
} from "@tabler/icons-react";
import { screenTitle } from "../../api/access";
import { type PanelName, panel } from "../../api/panel";
import { PageHeader } from "../../components/PageHeader";
import { Shortcuts } from "../../components/Shortcuts";
import { settingsStrings } from "../../strings/pt-BR.settings";

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
    ["/minha-conta", IconUserCircle],
  ],
};

const SETTINGS: Record<PanelName, readonly [route: string, hint: string]> = {
  seller: ["/configuracoes", words.seller],
  admin: ["/ajustes", words.staff],
};

export default function SettingsPage() {
  const [settings, hint] = SETTINGS[panel];
  const shortcuts = CARDS[panel].map(([route, icon]) => ({ route, icon, text: words.cards[route] }));
  return (
    <>
      <PageHeader title={screenTitle(settings)} hint={hint} />
      <Shortcuts shortcuts={shortcuts} large />
    </>
  );
}
