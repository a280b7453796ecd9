/** Share of the messages that can be found, in whole percent; 100 only when all can. */
export function indexedPercent({ afterId, upToId }: { afterId: number; upToId: number }): number {
  return afterId === 0 ? 100 : Math.min(99, Math.floor((100 * (upToId - afterId)) / upToId));
}
