/** Keys under which wrong tries are counted. The trigger `cards_end` deletes those of a card with it. */

/** @param deviceId a browser that has entered with this card counts for itself; null: all others together */
export const cardKey = (lookup: string, deviceId: string | null): string =>
  deviceId === null ? `card ${lookup}` : `card ${lookup} ${deviceId}`;
/** PINs that a session gives in place of a password. No device has this id. */
export const ownPinKey = (lookup: string): string => `card ${lookup} own`;
export const unknownCardKey = (lookup: string): string => `unknown-card ${lookup}`;
export const cardAddressKey = (network: string): string => `card-address ${network}`;

/** All keys of unknown cards lie between these. */
export const UNKNOWN_CARD_KEYS = { after: 'unknown-card ', before: 'unknown-card!' } as const;

/** Blocks a card, as the own log names it. */
export const PROGRAM = { id: 'program', name: 'PBB Kita' } as const;
