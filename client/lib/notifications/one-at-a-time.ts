/** Runs `work` while no page and no worker of this browser runs other work of the same name. */
export function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Older than service workers with push in no browser but Safari 16.
  if (typeof navigator.locks === 'undefined') return work();
  return navigator.locks.request(`pbb-${name}`, work);
}
