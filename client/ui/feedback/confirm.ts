import { atom, getDefaultStore } from 'jotai';
import type { ReactNode } from 'react';

export type ConfirmOptions = {
  title: string;
  message: ReactNode;
  /** Default 'Lanjut'. */
  confirmLabel?: string;
  /** Default 'Batal'. */
  cancelLabel?: string;
  /** For what cannot be undone: red, and the focus starts on the harmless answer. */
  danger?: boolean;
};

type ConfirmRequest = ConfirmOptions & { answer: (yes: boolean) => void };

const store = getDefaultStore();

/** The question on the screen; shown by `ConfirmHost`, asked by `confirm`. */
export const confirmAtom = atom<ConfirmRequest | null>(null);

/** Asks and waits. `if (!(await confirm({ … }))) return;` A second question answers an open one with no. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  store.get(confirmAtom)?.answer(false);
  return new Promise((resolve) => {
    store.set(confirmAtom, {
      ...options,
      answer: (yes) => {
        store.set(confirmAtom, null);
        resolve(yes);
      },
    });
  });
}
