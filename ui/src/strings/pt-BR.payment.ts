// The names of payment types, brands, acquirers and solutions.

import { CardBrand, PaymentType, Provider, Solution } from "../api/words.json";

export const paymentStrings = {
  payment: {
    seeBoleto: "Ver o boleto",
    /** In the order of filters. */
    types: {
      credit: PaymentType.credit,
      debit: PaymentType.debit,
      pix: PaymentType.pix,
      boleto: PaymentType.boleto,
    },
    creditAtOnce: "Crédito à vista",
    creditInstallments: (n: number) => `Crédito ${n}x`,
    atOnce: "à vista",
    split: (n: number) => `Parcelado ${n}x`,
    noProvider: "N/A",
    providers: Provider,
    solutions: Solution,
    /** By the API's code. The specification lists `boleto` among the brands. */
    brands: CardBrand,
    endingIn: (digits: string) => `final ${digits}`,
  },
} as const;
