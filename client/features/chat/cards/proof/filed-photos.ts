import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { onErasePrivateData } from '#client/lib/private-data.ts';

/** The tax years of the records whose proof a photo became on this page, by the id of the photo. */
const filedAtom = atom<Readonly<Record<string, number>>>({});
const store = getDefaultStore();

onErasePrivateData(() => store.set(filedAtom, {}));

export function rememberFiled(attachmentId: string, year: number): void {
  store.set(filedAtom, { ...store.get(filedAtom), [attachmentId]: year });
}

export const useFiledYear = (attachmentId: string): number | undefined =>
  useAtomValue(useMemo(() => atom((get) => get(filedAtom)[attachmentId]), [attachmentId]));
