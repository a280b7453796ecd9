import type { Settings } from '#server/settings.ts';
import type { Listener } from './listeners.ts';
import type { ServerComputer } from './server-computer.ts';

/** The result of one check. `advice` says what to do about a problem, `hint` what is good to know; without both the check passed. */
export type Finding = { what: string; advice?: string; hint?: string };

/** A check may yield several findings, also slowly, one after the other; null: nothing to say. */
export type Findings = Finding | null | Iterable<Finding> | AsyncIterable<Finding>;

/** The data folder and the server that `doctor` looks at, and the computer on which they are. */
export type Installation = {
  settings: Settings;
  isRunning: boolean;
  computer: ServerComputer;
  /** Programs that wait for connections; null: the operating system does not tell. */
  listeners: Listener[] | null;
};

export type Check = {
  id: string;
  /** Tells whether an installation needs this check; without it all of them do. */
  appliesTo?: (installation: Installation) => boolean;
  run: (installation: Installation) => Findings | Promise<Findings>;
};

/** A difference of the clock that is no problem: time synchronisation may correct it by this much. */
export const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;
