// The prices of a link. If the link leaves the amount open, they are read again for each amount.
import { useEffect, useState } from "react";
import { amountError } from "./amount";
import { CallFailure, getLink } from "./calls";
import type { Link, Prices } from "./contract";

/** A pause in typing. */
const PAUSE_MS = 400;

interface Priced {
  prices: Prices | null;
  /** Why there are none. */
  failure: string | undefined;
}

export function usePrices(link: Link, amount: number | undefined): Priced {
  const [read, setRead] = useState<{ link: Link; amount: number; answer: Priced }>();
  const isOpen = link.amount === null;
  const wanted = isOpen && amountError(amount, link) === undefined ? amount : undefined;
  // A link that was read again may have other prices.
  const known = read !== undefined && read.link === link && read.amount === wanted;

  useEffect(() => {
    if (wanted === undefined || known) return;
    let isCurrent = true;
    const note = (answer: Priced) => isCurrent && setRead({ link, amount: wanted, answer });
    const timer = setTimeout(() => {
      getLink(link.code, wanted).then(
        ({ prices }) => note({ prices, failure: undefined }),
        (error: unknown) => {
          const text = error instanceof CallFailure ? (error.fields.amount ?? error.message) : String(error);
          note({ prices: null, failure: text });
        },
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [link, wanted, known]);

  if (!isOpen) return { prices: link.prices, failure: undefined };
  return known ? read.answer : { prices: null, failure: undefined };
}
