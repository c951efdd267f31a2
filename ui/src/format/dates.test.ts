import { describe, expect, it } from "vitest";
import {
  businessDate,
  businessDateInWords,
  businessToday,
  dateIn,
  dateOfTyped,
  instant,
  instantOfTyped,
  instantWithWeekday,
  monthEnd,
  monthStart,
  previousMonth,
  shiftDate,
  shiftMonth,
  typedInstant,
} from "./dates";

describe("instants", () => {
  it("are shown in UTC by default", () => {
    expect(instant("2026-11-21T02:30:00Z")).toBe("21/11/2026 02:30");
  });

  it("are shown in Brasília on request, across midnight", () => {
    expect(instant("2026-11-21T02:30:00Z", "America/Sao_Paulo")).toBe("20/11/2026 23:30");
  });

  it("include Brazil's last daylight saving time", () => {
    expect(instant("2018-12-01T12:00:00Z", "America/Sao_Paulo")).toBe("01/12/2018 10:00");
  });

  it("can include the weekday in Portuguese", () => {
    expect(instantWithWeekday("2026-11-21T02:30:00Z")).toBe("sábado, 21/11/2026 02:30");
    expect(instantWithWeekday("2026-11-21T02:30:00Z", "America/Sao_Paulo")).toBe(
      "sexta-feira, 20/11/2026 23:30",
    );
  });

  it("refuse text that is not an instant", () => {
    expect(() => instant("ontem")).toThrow(RangeError);
  });
});

describe("business dates", () => {
  it("are never shifted", () => {
    expect(businessDate("2026-11-21")).toBe("21/11/2026");
    expect(businessDateInWords("2026-03-01")).toBe("domingo, 1 de março");
  });

  it("are those of the zone", () => {
    const now = new Date("2026-11-21T02:30:00Z");
    expect(dateIn("UTC", now)).toBe("2026-11-21");
    expect(dateIn("America/Sao_Paulo", now)).toBe("2026-11-20");
    expect(dateIn("Pacific/Kiritimati", now, 1)).toBe("2026-11-22");
  });

  it("begin at midnight of Brasília, not of UTC", () => {
    expect(businessToday(new Date("2026-11-21T02:59:59Z"))).toBe("2026-11-20");
    expect(businessToday(new Date("2026-11-21T03:00:00Z"))).toBe("2026-11-21");
    expect(businessToday(new Date("2026-03-01T12:00:00Z"), -1)).toBe("2026-02-28");
  });

  it("have the first day of their month and a previous month", () => {
    expect(monthStart("2026-11-21")).toBe("2026-11-01");
    expect(previousMonth("2026-03-15")).toEqual(["2026-02-01", "2026-02-28"]);
    expect(previousMonth("2026-01-31")).toEqual(["2025-12-01", "2025-12-31"]);
  });

  it("move by days and by months", () => {
    expect(shiftDate("2026-12-31", 1)).toBe("2027-01-01");
    expect(shiftDate("2024-03-01", -1)).toBe("2024-02-29");
    expect(monthEnd("2028-02-10")).toBe("2028-02-29");
    expect(shiftMonth("2026-01-31", 1)).toBe("2026-02-01");
    expect(shiftMonth("2026-01-31", -1)).toBe("2025-12-01");
  });
});

describe("a typed instant", () => {
  it.each(["UTC", "America/Sao_Paulo"] as const)("in %s equals the instant that was shown", (zone) => {
    const instant = "2026-11-21T02:30:15.000Z";
    expect(instantOfTyped(typedInstant(instant, zone), zone)).toBe(instant);
  });

  it("is in the reader's zone, with or without seconds", () => {
    expect(instantOfTyped("201120262330", "America/Sao_Paulo")).toBe("2026-11-21T02:30:00.000Z");
    expect(instantOfTyped("20112026233059")).toBe("2026-11-20T23:30:59.000Z");
    expect(typedInstant("2026-11-20T23:30:59Z")).toBe("20112026233059");
  });

  it.each(["", "20112026", "2011202623", "300220261000", "201120262500", "201320261000"])(
    "is undefined for '%s'",
    (digits) => expect(instantOfTyped(digits)).toBeUndefined(),
  );
});

describe("a typed date", () => {
  it("becomes an ISO date", () => expect(dateOfTyped("29022028")).toBe("2028-02-29"));

  it.each(["", "2902202", "29022027", "00012027", "01132027"])("is undefined for '%s'", (digits) =>
    expect(dateOfTyped(digits)).toBeUndefined(),
  );
});
