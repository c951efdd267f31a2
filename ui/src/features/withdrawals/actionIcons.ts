// The icons of the staff's actions on a withdrawal.
import {
  IconArrowBackUp,
  IconBuildingBank,
  IconCircleCheck,
  IconCircleX,
  IconClockPlay,
  IconZoomExclamation,
} from "@tabler/icons-react";
import type { Action } from "./actions";

export const ACTION_ICONS: Record<Action, typeof IconCircleCheck> = {
  approve: IconCircleCheck,
  process: IconClockPlay,
  refuse: IconCircleX,
  fail: IconZoomExclamation,
  pending: IconArrowBackUp,
};

export const RETURN_ICON = IconBuildingBank;
