import { atom, getDefaultStore, useAtomValue } from 'jotai';

/** Whether the server answers. Calls and the socket report what they notice; `reachability-probe.ts` decides. */

const store = getDefaultStore();
const reachableAtom = atom(true);
const noAnswerListeners = new Set<() => void>();

export function useServerReachable(): boolean {
  return useAtomValue(reachableAtom);
}

export function isServerReachable(): boolean {
  return store.get(reachableAtom);
}

export function setServerReachable(isReachable: boolean): void {
  store.set(reachableAtom, isReachable);
}

/** A call got no answer, or a connection broke: the server may be away, or only this one was unlucky. */
export function reportNoAnswer(): void {
  for (const listener of noAnswerListeners) listener();
}

/** Calls back at each report of `reportNoAnswer`. @returns the undo */
export function onNoAnswer(listener: () => void): () => void {
  noAnswerListeners.add(listener);
  return () => void noAnswerListeners.delete(listener);
}

/** Calls back when the server answers again after it did not. @returns the undo */
export function onReachableAgain(listener: () => void): () => void {
  return store.sub(reachableAtom, () => {
    if (store.get(reachableAtom)) listener();
  });
}
