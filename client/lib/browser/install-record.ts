import { atom, getDefaultStore } from 'jotai';
import { isPlainObject } from '../storage/is-plain-object.ts';
import { INSTALL_KEY } from '../session/private-data.ts';
import { readStored, writeStored } from '../storage/safe-storage.ts';

/** A start of the app so long after the last one is another visit, not a reload. */
const VISIT_GAP_MS = 30 * 60_000;

/** The stored facts about the installed app. They say nothing about any account, so they stay after a logout (R-PWA-31). */
type InstallRecord = {
  visits: number;
  lastStartMs: number;
  /** A user has sent a message to the office here. */
  hasWritten: boolean;
  /** The hint is not wanted any more. */
  isDismissed: boolean;
  /** The app was installed by this browser. */
  isInstalled: boolean;
};

const FIRST_RECORD: InstallRecord = {
  visits: 0,
  lastStartMs: 0,
  hasWritten: false,
  isDismissed: false,
  isInstalled: false,
};

function readRecord(): InstallRecord {
  try {
    const stored: unknown = JSON.parse(readStored(INSTALL_KEY) ?? '{}');
    return isPlainObject(stored) ? { ...FIRST_RECORD, ...stored } : FIRST_RECORD;
  } catch {
    return FIRST_RECORD;
  }
}

const store = getDefaultStore();
const recordAtom = atom(readRecord());

export const installRecordAtom = atom((get) => get(recordAtom));

export function changeInstallRecord(changes: Partial<InstallRecord>): void {
  const record = store.get(recordAtom);
  if (Object.entries(changes).every(([key, value]) => record[key as keyof InstallRecord] === value)) return;
  // Another tab may have stored something since.
  const changed = { ...readRecord(), ...changes };
  writeStored(INSTALL_KEY, JSON.stringify(changed));
  store.set(recordAtom, changed);
}

/** Counts a start of the app as a visit, unless it follows the last one closely. */
export function countVisit(nowMs: number): void {
  const { visits, lastStartMs } = readRecord();
  // The clock may have been set back.
  const isVisit = nowMs - lastStartMs >= VISIT_GAP_MS || nowMs < lastStartMs;
  changeInstallRecord({ lastStartMs: nowMs, ...(isVisit ? { visits: visits + 1 } : {}) });
}

/** Whether the app is used enough to be offered for the home screen: at the second visit, or after the first message. */
export function isGoodMoment({ visits, hasWritten, isDismissed }: InstallRecord): boolean {
  return !isDismissed && (visits >= 2 || hasWritten);
}
