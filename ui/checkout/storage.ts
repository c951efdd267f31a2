// What the browser remembers: typed fields and unanswered commands for this tab, and references of orders for all tabs.
// It never holds card data. Storage may be switched off or full; then nothing is remembered.

export function remembered<Value>(storage: () => Storage, name: string): Value | undefined {
  try {
    const text = storage().getItem(name);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

export function remember(storage: () => Storage, name: string, value: unknown) {
  try {
    storage().setItem(name, JSON.stringify(value));
  } catch {
    // The payment goes on without a memory.
  }
}

export function forget(storage: () => Storage, name: string) {
  try {
    storage().removeItem(name);
  } catch {
    // Nothing was remembered.
  }
}

/** Reading the property alone throws where storage is switched off. */
export const ofTab = () => window.sessionStorage;
export const ofBrowser = () => window.localStorage;
