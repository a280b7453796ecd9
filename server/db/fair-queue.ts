/** Waiting items by account, or by address. Accounts take turns, so that one with many items does not delay the others. */
export function createFairQueue<T>() {
  /** The order of the accounts is the order of their turns. */
  const itemsByAccount = new Map<string, T[]>();
  let size = 0;

  return {
    size: (): number => size,
    sizeOf: (account: string): number => itemsByAccount.get(account)?.length ?? 0,

    push(account: string, item: T): void {
      const items = itemsByAccount.get(account);
      if (items) items.push(item);
      else itemsByAccount.set(account, [item]);
      size += 1;
    },

    /** Removes the oldest item of the next account that may have a turn. */
    take(mayHaveTurn: (account: string) => boolean = () => true): T | undefined {
      for (const [account, items] of itemsByAccount) {
        if (!mayHaveTurn(account)) continue;
        const item = items.shift();
        itemsByAccount.delete(account);
        // At the end again: every other account has its turn first.
        if (items.length > 0) itemsByAccount.set(account, items);
        size -= 1;
        return item;
      }
      return undefined;
    },

    /** Removes and returns the newest item of the account with most, unless `account` would then have more than that one. */
    takeFromCrowd(account: string): T | undefined {
      const [crowd] = [...itemsByAccount].toSorted(([, a], [, b]) => b.length - a.length);
      const newest = crowd?.[1].at(-1);
      if (!crowd || newest === undefined || crowd[1].length <= this.sizeOf(account) + 1) return undefined;
      this.remove(crowd[0], newest);
      return newest;
    },

    /** Removes and returns the items of an account that match, oldest first. */
    takeMatching(account: string, matches: (item: T) => boolean): T[] {
      const items = itemsByAccount.get(account) ?? [];
      const taken = items.filter(matches);
      for (const item of taken) this.remove(account, item);
      return taken;
    },

    remove(account: string, item: T): void {
      const items = itemsByAccount.get(account) ?? [];
      const index = items.indexOf(item);
      if (index < 0) return;
      items.splice(index, 1);
      if (items.length === 0) itemsByAccount.delete(account);
      size -= 1;
    },
  };
}
export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>;
