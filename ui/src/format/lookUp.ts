/** The value of `key`; undefined for an unknown key, even if every object has it, such as "toString". */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
