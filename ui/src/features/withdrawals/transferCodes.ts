// The gateway's numbers of the kinds and statuses of transfers. Kind 1 is an adjustment by staff.

export const WITHDRAWAL = 0;
export const TERMINAL_RENTAL = 2;

export const PENDING = 0;
export const APPROVED = 1;
export const PROCESSING = 2;
export const REFUSED = 3;
export const FAILED = 4;
