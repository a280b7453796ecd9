import { atom } from 'jotai';
import type { ComponentType } from 'react';

/** The line that offers a new version, as long as there is one to offer; its code comes with the first. */
export const updateLineAtom = atom<{ Line: ComponentType<{ onRefuse: () => void }>; onRefuse: () => void } | null>(
  null,
);
