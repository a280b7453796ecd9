/** A started program. The cases of cases.ts know nothing else about it, on this system as under Wine. */
export type ProgramRun = {
  /** Its standard output and standard error so far. */
  output: () => string;
  /** Resolves with the address in the last start-up line. */
  waitUntilReady: () => Promise<string>;
  /** Resolves with the exit code, or the name of the signal that ended it. */
  waitForExit: () => Promise<number | NodeJS.Signals | null>;
  /** Does the same as Ctrl+C in its window. */
  interrupt: () => void;
  /** Ends it at once, as a crash does. */
  kill: () => void;
};

/** A folder that contains the program and nothing else. */
export type Installation = {
  /** The folder, as this process sees it. */
  folder: string;
  /** The name by which the program itself knows a path below the folder. */
  pathFor: (...names: string[]) => string;
  /** @param input what it reads from standard input */
  start: (args: string[], environment?: Record<string, string>, input?: string) => ProgramRun;
  remove: () => void;
};

export type ProgramHost = {
  install: () => Installation;
  /** Moves the clock of programs that are started with `environment`; null where that is not possible. */
  clock: { environment: Record<string, string>; moveToDays: (days: number) => void } | null;
};
