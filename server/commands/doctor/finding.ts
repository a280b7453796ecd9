/** The result of one check. `todo` says what to do about a problem, `hint` what is good to know; without both the check passed. */
export type Finding = { what: string; todo?: string; hint?: string };

/** A difference of the clock that is no problem: time synchronisation may correct it by this much. */
export const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;
