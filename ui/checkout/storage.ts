// The browser's storage: typed fields and unanswered commands for this tab; for all tabs, references of orders and
// the keys of links' next orders. It never holds card data nor a card's token. Storage may be switched off or full;
// then this page alone remembers.

const ofPage = new Map<string, string>();

export function remembered<Value>(storage: () => Storage, name: string): Value | undefined {
  try {
    return parsed(ofPage.get(name) ?? storage().getItem(name) ?? undefined);
  } catch {
    return parsed(ofPage.get(name));
  }
}

function parsed<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

export function remember(storage: () => Storage, name: string, value: unknown) {
  const text = JSON.stringify(value);
  try {
    storage().setItem(name, text);
    ofPage.delete(name);
  } catch {
    ofPage.set(name, text);
  }
}

export function forget(storage: () => Storage, name: string) {
  ofPage.delete(name);
  try {
    storage().removeItem(name);
  } catch {
    // Storage is switched off.
  }
}

/** Reading the property alone throws where storage is switched off. */
export const ofTab = () => window.sessionStorage;
export const ofBrowser = () => window.localStorage;
