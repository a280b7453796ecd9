import { atom, getDefaultStore } from 'jotai';
import type { ReactNode } from 'react';

export type ConfirmOptions = {
  title: string;
  message?: ReactNode;
  /** A form in place of the message and the buttons. */
  content?: (answer: (yes: boolean) => void) => ReactNode;
  /** Default 'Lanjut'. */
  confirmLabel?: string;
  /** Default 'Batal'. */
  cancelLabel?: string;
  /** For an action that cannot be undone: red, and the cancel button has the focus. */
  danger?: boolean;
};

export type ConfirmRequest = ConfirmOptions & { answer: (yes: boolean) => void };

const store = getDefaultStore();

/** The open question: set by `confirm`, shown by `ConfirmHost`. */
export const confirmAtom = atom<ConfirmRequest | null>(null);

/** Asks the user: `if (!(await confirm({ … }))) return;`. A second question answers an open one with false. */
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
