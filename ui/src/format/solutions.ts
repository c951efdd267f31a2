// Solutions by their numbers in the API.

export const CARD_MACHINE = 1;
export const PAYMENT_LINK = 4;
