import type { ServiceContext } from '#server/service-context.ts';

/**
 * Collects the changes of one commit and publishes them together, after all other events of that commit.
 * @returns adds a change, once for each key, and resolves when it is published
 */
export function createCommitPublisher<T>(
  publishAll: (changes: T[]) => Promise<void>,
  { commitSettled }: Pick<ServiceContext, 'commitSettled'>,
) {
  let pending = new Map<string, T>();
  let published: Promise<void> | null = null;

  function publishPending(): Promise<void> {
    const changes = [...pending.values()];
    pending = new Map();
    published = null;
    return publishAll(changes);
  }

  return (key: string, change: T): Promise<void> => {
    pending.set(key, change);
    published ??= commitSettled().then(publishPending);
    return published;
  };
}
