/** The operations of every engine. `page.ts` builds the actions of a user on them. A selector matches one element. */
export type Driver = {
  goto: (url: string) => Promise<void>;
  /** Runs a function in the page. It sees nothing of its module; its arguments and its result are JSON. */
  run: <A extends unknown[], R>(fn: (...args: A) => R, ...args: A) => Promise<R>;
  click: (selector: string) => Promise<void>;
  type: (selector: string, text: string) => Promise<void>;
  chooseFile: (selector: string, path: string) => Promise<void>;
  close: () => Promise<void>;
};

/** A running engine. Each driver is a browser without cookies, storage and service workers. */
export type Engine = { open: () => Promise<Driver>; close: () => Promise<void> };

export const WINDOW = { width: 1280, height: 900 };
