import type { Processes } from './processes.ts';

/** Work that goes on in one process, by the id of what is worked on. */
export type SharedWork = {
  /** Called before the first change of the work; once more for a part inside of it. */
  begin: (id: string) => void;
  end: (id: string) => void;
  /** Whether this or another process that is alive works on it; else its process has ended and left it half done. */
  isGoingOn: (id: string) => boolean;
};

/** Tells the other processes what this one works on. @param topic the kind of work */
export function createSharedWork(
  { tell, on, onJoined, onLeft }: Pick<Processes, 'tell' | 'on' | 'onJoined' | 'onLeft'>,
  topic: string,
): SharedWork {
  const here = new Map<string, number>();
  const elsewhere = new Map<string, string>();
  const [begun, ended, all] = [`${topic}: begun`, `${topic}: ended`, `${topic}: all`];
  function forget(from: string): void {
    for (const [id, process] of elsewhere) if (process === from) elsewhere.delete(id);
  }
  on(begun, (id: string, from) => void elsewhere.set(id, from));
  // Another process may have begun the same work since.
  on(ended, (id: string, from) => void (elsewhere.get(id) === from && elsewhere.delete(id)));
  on(all, (ids: readonly string[], from) => {
    forget(from);
    for (const id of ids) elsewhere.set(id, from);
  });
  onJoined(() => tell(all, [...here.keys()]));
  onLeft(forget);
  return {
    begin(id) {
      const parts = here.get(id) ?? 0;
      here.set(id, parts + 1);
      if (parts === 0) tell(begun, id);
    },
    end(id) {
      const parts = (here.get(id) ?? 1) - 1;
      if (parts > 0) return void here.set(id, parts);
      here.delete(id);
      tell(ended, id);
    },
    isGoingOn: (id) => here.has(id) || elsewhere.has(id),
  };
}
