/** No page holds a lock for so long, unless a phone has suspended it meanwhile. */
const WAIT_MS = 3000;

/**
 * Runs `work` while no page and no worker of this browser runs other work of the same name.
 * @param waitMs after this time it runs nevertheless
 */
export async function oneAtATime<T>(name: string, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  // Older than service workers with push in no browser but Safari 16.
  if (typeof navigator.locks === 'undefined') return work();
  let hasBegun = false;
  try {
    return await navigator.locks.request(`pbb-${name}`, { signal: AbortSignal.timeout(waitMs) }, () => {
      hasBegun = true;
      return work();
    });
  } catch (error) {
    if (hasBegun) throw error;
    return work();
  }
}
