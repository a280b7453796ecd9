import { Menu } from '@mantine/core';
import { IconFileInvoice } from '@tabler/icons-react';
import { useEffect } from 'react';
import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';

/** The user whose records are offered; null while the choice is closed. */
const requestAtom = atom<string | null>(null);

/** Opens the choice of a record for the next message of a conversation, wherever its `ShareRecordHost` stands. */
function requestShareRecord(userId: string): void {
  getDefaultStore().set(requestAtom, userId);
}

function endShareRequest(userId: string): void {
  const store = getDefaultStore();
  if (store.get(requestAtom) === userId) store.set(requestAtom, null);
}

const useShareRequest = (userId: string): boolean => useAtomValue(requestAtom) === userId;

/** 'Bagikan data PBB' in the menu beside the message field. The choice itself is drawn by `ShareRecordHost`. */
export function ShareRecordItem({ userId }: { userId: string }) {
  return (
    <Menu.Item
      mih={44}
      leftSection={<IconFileInvoice size={18} aria-hidden />}
      onClick={() => requestShareRecord(userId)}
    >
      Bagikan data PBB
    </Menu.Item>
  );
}

const loadDialog = async () => (await import('./share-record-dialog.tsx')).ShareRecordDialog;

type HostProps = {
  userId: string;
  /** Gives the focus to the message field, after a choice and without one. */
  focusField: () => void;
};

/** Shows the choice of a record beside the message field, because the field's menu has closed by then. */
export function ShareRecordHost({ userId, focusField }: HostProps) {
  const isOpen = useShareRequest(userId);
  const { Component } = useLazyOverlay(loadDialog, {
    wanted: isOpen,
    failure: 'Data PBB gagal dimuat',
    onCancel: () => {
      endShareRequest(userId);
      focusField();
    },
  });
  useEffect(() => () => endShareRequest(userId), [userId]);
  if (!Component) return null;
  return <Component userId={userId} opened={isOpen} onClose={() => endShareRequest(userId)} focusField={focusField} />;
}
