import { atom, useAtom } from 'jotai';
import { readStored, writeStored } from '#client/lib/safe-storage.ts';

const STORAGE_KEY = 'inbox_records';

const openAtom = atom(readStored(STORAGE_KEY) === 'open');

/** Whether the records stand beside the conversations. The choice is stored in the browser and holds for all of them. */
export function useRecordsOpen() {
  const [isOpen, setIsOpen] = useAtom(openAtom);
  return {
    isOpen,
    setOpen: (open: boolean): void => {
      writeStored(STORAGE_KEY, open ? 'open' : 'closed');
      setIsOpen(open);
    },
  };
}
