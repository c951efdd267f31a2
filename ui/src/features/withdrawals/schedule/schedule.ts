// The form of a schedule of withdrawals, and the schedule as text.
import * as z from "zod/mini";
import type { WithdrawalSchedule } from "../../../api/models";
import { money } from "../../../format/money";
import { scheduleStrings } from "../../../strings/pt-BR.schedule";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";

const words = scheduleStrings;
const { required, destinationRequired, passwordRequired, minimum } = withdrawalsStrings.requestTransfer;

export const FREQUENCIES = ["day", "week", "month"] as const;
export type Frequency = WithdrawalSchedule["frequency"];
/** Days that every month has. */
const DAYS_OF_MONTH = 28;

export const daysOfMonth = Array.from({ length: DAYS_OF_MONTH }, (_, index) => String(index + 1));

/** The smallest amount that the gateway takes. */
const ONE_CENT = 1;

export const scheduleSchema = z
  .object({
    frequency: z.enum(FREQUENCIES, words.chooseWhen),
    weekday: z.string(),
    dayOfMonth: z.string(),
    minimum: z.number(required).check(z.minimum(ONE_CENT, minimum(money(ONE_CENT)))),
    kept: z.number(required),
    destination: z.string().check(z.regex(/^[01]$/, destinationRequired)),
    password: z.string().check(z.minLength(1, passwordRequired)),
  })
  .check(
    z.refine(({ frequency, weekday }) => frequency !== "week" || weekday !== "", {
      path: ["weekday"],
      error: words.chooseDay,
    }),
    z.refine(({ frequency, dayOfMonth }) => frequency !== "month" || dayOfMonth !== "", {
      path: ["dayOfMonth"],
      error: words.chooseDay,
    }),
  );

export interface ScheduleValues {
  frequency: Frequency;
  weekday: string;
  dayOfMonth: string;
  minimum: number | undefined;
  kept: number | undefined;
  destination: string;
  password: string;
}

export function valuesOf(schedule: WithdrawalSchedule | null): ScheduleValues {
  const day = schedule?.on_day == null ? "" : String(schedule.on_day);
  return {
    frequency: schedule?.frequency ?? "day",
    weekday: schedule?.frequency === "week" ? day : "",
    dayOfMonth: schedule?.frequency === "month" ? day : "",
    minimum: schedule?.minimum,
    kept: schedule?.kept ?? 0,
    destination: schedule ? String(schedule.destination) : "",
    password: "",
  };
}

export function bodyOf(values: ScheduleValues) {
  const { frequency, weekday, dayOfMonth, minimum, kept, destination, password } = values;
  const day = { day: undefined, week: weekday, month: dayOfMonth }[frequency];
  return {
    frequency,
    ...(day && { on_day: Number(day) }),
    minimum: minimum ?? 0,
    kept: kept ?? 0,
    destination: Number(destination) as WithdrawalSchedule["destination"],
    password,
  };
}

type Told = Pick<WithdrawalSchedule, "frequency" | "on_day" | "minimum" | "kept" | "destination">;

/** "Toda sexta-feira, a partir de R$ 100,00, deixando R$ 250,00 no saldo, na chave PIX" */
export function scheduleText({ frequency, on_day, minimum, kept, destination }: Told): string {
  const { when, weekdays } = words;
  const day = on_day ?? 0;
  const of = {
    day: when.day,
    week: when.week(weekdays[day as keyof typeof weekdays] ?? ""),
    month: when.month(day),
  };
  const parts = [
    of[frequency],
    words.from(money(minimum)),
    kept > 0 && words.keeping(money(kept)),
    words.to[destination],
  ];
  return parts.filter(Boolean).join(", ");
}
