/** Pseudorandom numbers that are the same at every run (mulberry32), so that two seeded databases can be compared. */
export function createSeededRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    /** From `min` to `max`, both included. */
    integer: (min: number, max: number): number => min + Math.floor(next() * (max - min + 1)),
    pick: <T>(choices: readonly T[]): T => choices[Math.floor(next() * choices.length)] as T,
    withProbability: (probability: number): boolean => next() < probability,
  };
}
export type SeededRandom = ReturnType<typeof createSeededRandom>;
