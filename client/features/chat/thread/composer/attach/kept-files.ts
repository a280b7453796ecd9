import { atom, getDefaultStore, useAtom } from 'jotai';
import { useMemo } from 'react';
import { onErasePrivateData } from '#client/lib/private-data.ts';

/** Files that came into a field for text only, by the draft's key, until the user attaches or drops them. */
const keptFilesAtom = atom<Readonly<Record<string, readonly File[]>>>({});
onErasePrivateData(() => getDefaultStore().set(keptFilesAtom, {}));

/** Also while another conversation or mode is on the screen. */
export function useKeptFiles(key: string): [files: readonly File[], setFiles: (files: readonly File[]) => void] {
  return useAtom(
    useMemo(
      () =>
        atom(
          (get) => get(keptFilesAtom)[key] ?? [],
          (get, set, files: readonly File[]) => set(keptFilesAtom, { ...get(keptFilesAtom), [key]: files }),
        ),
      [key],
    ),
  );
}
