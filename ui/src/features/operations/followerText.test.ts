import { expect, it } from "vitest";
import { stoppedText } from "./followerText";

it("names where a follower stopped, and calls one up to date only if it has no events to apply", () => {
  const stopped = [
    { shard: 3, position: 1042 },
    { shard: 9, position: 7 },
  ];
  expect(stoppedText({ lag_events: 12, stopped })).toBe("partição 3, posição 1042; partição 9, posição 7");
  expect(stoppedText({ lag_events: 0, stopped: [] })).toBe("Em dia");
  expect(stoppedText({ lag_events: 12, stopped: [] })).toBe("—");
});
