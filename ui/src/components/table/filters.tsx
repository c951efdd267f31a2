// The filters of a list: each is declared once, with its keys in the address and its field above the rows. A changed
// filter returns to the first page.
import {
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  type UseQueryStatesKeysMap,
  useQueryStates,
} from "nuqs";
import { type ReactNode, useMemo } from "react";
import { businessDate, type TimeZone } from "../../format/dates";
import { BusinessSelect, useNamedBusiness } from "../BusinessSelect";
import { DateRange, type Period } from "../DateRange";
import { FilterSelect } from "../FilterSelect";
import { SearchField } from "../SearchField";
import { parseAsBusinessDate, parseAsPeriodBound } from "./listState";

type Parsers = UseQueryStatesKeysMap;
type Kept = Readonly<Record<string, unknown>>;

interface FieldProps<Value> {
  value: Value;
  /** Null clears the filter. */
  onChange(next: Value | null): void;
}

export interface Filter<Value> {
  /** What it keeps in the address; its own key is the name under which the list declares it. */
  parsers(key: string): Parsers;
  valueOf(kept: Kept, key: string): Value;
  keptOf(value: Value | null, key: string): Kept;
  /** Whether this value leaves rows out. */
  restricts(value: Value): boolean;
  /** Whether clearing the filters leaves it alone: it restricts nothing. */
  stays?: boolean;
  /** Whether it is typed: then it replaces the history entry, so that going back does not undo single letters. */
  isTyped?: boolean;
  /** The value in words, for the chip that removes it on a phone. */
  text(value: Value): ReactNode;
  field(props: FieldProps<Value>): ReactNode;
}

/** A filter of a list that is on the screen. */
export interface ShownFilter {
  key: string;
  isTyped: boolean;
  field: ReactNode;
  /** What it restricts to; undefined if it restricts nothing. */
  chip: ReactNode;
  remove: () => void;
}

export type Filters = Readonly<Record<string, Filter<unknown>>>;
export type Chosen<F extends Filters> = {
  [Key in keyof F]: F[Key] extends Filter<infer Value> ? Value : never;
};
export type Changes<F extends Filters> = { [Key in keyof F]?: Chosen<F>[Key] | null };

/** A filter with one key in the address. */
export function single<Value>(
  parser: Parsers[string],
  field: (props: FieldProps<Value>) => ReactNode,
  text: (value: Value) => ReactNode = String,
): Filter<Value> {
  return {
    parsers: (key) => ({ [key]: parser }),
    valueOf: (kept, key) => kept[key] as Value,
    keptOf: (value, key) => ({ [key]: value }),
    restricts: (value) => value !== (parser.defaultValue ?? null),
    field,
    text,
  };
}

/** A text that the gateway searches. */
export function search(
  label: string,
  placeholder: string,
  { isWide = false, isUpperCase = false } = {},
): Filter<string> {
  return {
    ...single<string>(parseAsString.withDefault(""), ({ value, onChange }) => (
      <SearchField
        label={label}
        placeholder={placeholder}
        isWide={isWide}
        value={value}
        onSearch={(text) => onChange((isUpperCase ? text.toUpperCase() : text) || null)}
      />
    )),
    isTyped: true,
  };
}

type Options<Key extends string | number> = Readonly<Record<Key, string>>;

const keysOf = <Key extends string | number>(options: Options<Key>) => Object.keys(options) as `${Key}`[];

/** One of some words, or none. */
export function choice<Key extends string | number>(
  label: string,
  placeholder: string,
  options: Options<Key>,
): Filter<`${Key}` | null> {
  return single(
    parseAsStringLiteral(keysOf(options)),
    (props) => <FilterSelect label={label} placeholder={placeholder} options={options} {...props} />,
    (value) => value !== null && `${label}: ${(options as Record<string, string>)[value]}`,
  );
}

/** One of some words. `usual` counts until the user chooses another. */
export function choiceFrom<Key extends string>(
  label: string,
  usual: NoInfer<Key>,
  options: Options<Key>,
): Filter<Key> {
  const { field, text } = choice(label, options[usual], options) as Filter<Key | null>;
  const parser = parseAsStringLiteral(Object.keys(options) as Key[]).withDefault(usual);
  return single<Key>(
    parser,
    ({ value, onChange }) => field({ value: value === usual ? null : value, onChange }),
    text,
  );
}

/** The column by which the gateway orders. */
export function sortChoice<Key extends string>(
  label: string,
  usual: NoInfer<Key>,
  options: Options<Key>,
): Filter<Key> {
  const chosen = choice(label, options[usual], options) as Filter<Key | null>;
  return {
    ...chosen,
    valueOf: (kept, key) => chosen.valueOf(kept, key) ?? usual,
    restricts: () => false,
    stays: true,
    field: ({ value, onChange }) => chosen.field({ value: value === usual ? null : value, onChange }),
  };
}

function period(bound: typeof parseAsPeriodBound, zone?: TimeZone): Filter<Period | null> {
  return {
    parsers: () => ({ start: bound, end: bound }),
    valueOf: ({ start, end }) => (start && end ? ({ start, end } as Period) : null),
    keptOf: (value) => ({ start: value?.start ?? null, end: value?.end ?? null }),
    restricts: (value) => value !== null,
    field: (props) => <DateRange {...props} {...(zone && { zone })} />,
    text: periodText,
  };
}

/** "01/11/2026 – 30/11/2026"; an instant shows its day. */
export function periodText(value: Period | null): string {
  const day = (bound: string) => businessDate(bound.slice(0, "2026-01-01".length));
  return value ? `${day(value.start)} – ${day(value.end)}` : "";
}

/** From one day or instant to another. */
export const periodIn = (zone?: TimeZone) => period(parseAsPeriodBound, zone);
/** From one day to another. */
export const daysIn = (zone: TimeZone) => period(parseAsBusinessDate, zone);

/** One company, for staff. The list's file is named after it if the filter is declared as `business`. */
export function company(label: string, placeholder: string): Filter<string | null> {
  return single(
    parseAsString,
    (props) => <CompanyField label={label} placeholder={placeholder} {...props} />,
    (value) => <CompanyName id={value} otherwise={label} />,
  );
}

function CompanyName({ id, otherwise }: { id: string | null; otherwise: string }) {
  return useNamedBusiness(id)?.name ?? otherwise;
}

function CompanyField(props: { label: string; placeholder: string } & FieldProps<string | null>) {
  return <BusinessSelect {...props} size="sm" chosen={useNamedBusiness(props.value)} />;
}

/** Leaves out what is not chosen. */
export function given<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], null | ""> } {
  const chosen = Object.entries(values).filter(([, value]) => value !== null && value !== "");
  return Object.fromEntries(chosen) as ReturnType<typeof given<T>>;
}

export const numberOf = (chosen: string | null): number | null => (chosen === null ? null : Number(chosen));

/** `filters` must not change between renders. Those not in `shown` are another list's on the same screen. */
export function useFilters<F extends Filters>(
  filters: F,
  shown: readonly (keyof F & string)[] = Object.keys(filters),
) {
  const parsers = useMemo<Parsers>(() => {
    const kept = Object.entries(filters).map(([key, filter]) => filter.parsers(key));
    return Object.assign({ page: parseAsInteger }, ...kept);
  }, [filters]);
  const [kept, set] = useQueryStates(parsers, { history: "push" });
  const all = Object.entries(filters).map(([key, filter]) => ({
    key,
    filter,
    value: filter.valueOf(kept, key),
    isShown: shown.includes(key),
  }));
  const change = (next: Changes<F>, options?: { history: "replace" }) => {
    const changed = all.filter(({ key }) => Object.hasOwn(next, key));
    const keys = changed.map(({ key, filter }) => filter.keptOf(next[key] ?? null, key));
    void set(Object.assign({ page: null }, ...keys), options);
  };
  const cleared = all.filter(({ filter }) => !filter.stays).map(({ key }) => [key, null]);
  return {
    chosen: Object.fromEntries(all.map(({ key, value }) => [key, value])) as Chosen<F>,
    /** Whether a shown filter restricts the list. */
    any: all.some(({ filter, value, isShown }) => isShown && filter.restricts(value)),
    change,
    clear: () => change(Object.fromEntries(cleared)),
    fields: all
      .filter(({ isShown }) => isShown)
      .map(({ key, filter, value }): ShownFilter => {
        const restricts = filter.restricts(value);
        return {
          key,
          isTyped: filter.isTyped ?? false,
          field: filter.field({
            value,
            onChange: (next) =>
              change({ [key]: next } as Changes<F>, filter.isTyped ? { history: "replace" } : undefined),
          }),
          chip: restricts ? filter.text(value) : undefined,
          remove: () => change({ [key]: null } as Changes<F>),
        };
      }),
  };
}
