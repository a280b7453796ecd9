import { getDefaultStore } from 'jotai';
import { updateLineAtom } from './update-line-state.ts';
import { UpdateLine } from './update-line.tsx';

const store = getDefaultStore();

let offeredBuild: string | null = null;
/** The build that the user put off with 'Nanti', until the page is opened again. */
let refusedBuild: string | null = null;

/** Shows that there is a new version, unless the user has put this one off. */
export function offerUpdate(build: string): void {
  if (build === refusedBuild) return;
  offeredBuild = build;
  const onRefuse = (): void => {
    refusedBuild = offeredBuild;
    store.set(updateLineAtom, null);
  };
  store.set(updateLineAtom, { Line: UpdateLine, onRefuse });
}
