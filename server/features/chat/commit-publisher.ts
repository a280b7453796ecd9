import type { ServiceContext } from '#server/service-context.ts';

/**
 * Collects the changes of one commit and publishes them together, after all other events of that commit. Those of the next
 * commit wait for them: both read what is stored, and the older of two answers must not leave last.
 * @returns adds a change, once for each key, and resolves when it is published
 */
export function createCommitPublisher<T>(
  publishAll: (changes: T[]) => Promise<void>,
  { commitSettled }: Pick<ServiceContext, 'commitSettled'>,
) {
  let pending = new Map<string, T>();
  let published: Promise<void> | null = null;
  let before: Promise<unknown> = Promise.resolve();

  function publishPending(): Promise<void> {
    const changes = [...pending.values()];
    pending = new Map();
    published = null;
    return publishAll(changes);
  }

  return (key: string, change: T): Promise<void> => {
    pending.set(key, change);
    if (!published) {
      published = before.then(commitSettled).then(publishPending);
      before = published.catch(() => undefined);
    }
    return published;
  };
}
