/** Statements of one connection, which runs one at a time: those that are asked for side by side run one after the other. */
export type Turns = {
  inTurn: <T>(run: () => Promise<T>) => Promise<T>;
  /** Resolves when those that were asked for have ended. */
  ended: () => Promise<unknown>;
};

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn(run) {
      const result = last.then(run);
      last = result.catch(() => undefined);
      return result;
    },
    ended: () => last,
  };
}
