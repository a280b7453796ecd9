import { Anchor, CloseButton, Drawer, Group, Stack, Title } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { atom, useAtom } from 'jotai';
import { UserRecords } from '#client/features/tax-records/display/user-records/user-records.tsx';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { readStored, writeStored } from '#client/lib/storage/safe-storage.ts';

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

type Props = {
  userId: string;
  name: string;
  /** Room beside the thread; otherwise the records come over it. */
  isBeside: boolean;
  opened: boolean;
  onClose: () => void;
  /** Puts a record into the next message. */
  onShare: (record: TaxRecord) => void;
};

/** The records of the user of a conversation: beside the thread, or in a drawer where there is no room (R-INBOX-30). */
export function RecordsPanel({ userId, name, isBeside, opened, onClose, onShare }: Props) {
  const titleId = useId();
  // Opened only after it was mounted closed: otherwise it would not give the focus back.
  const isMounted = useMounted();
  const content = (
    <>
      <UserRecords userId={userId} onShare={onShare} />
      <Anchor component={Link} to={paths.adminUser(userId)} fz="sm">
        Buka halaman {name}
      </Anchor>
    </>
  );
  if (!isBeside) {
    return (
      <Drawer
        opened={opened && isMounted}
        onClose={onClose}
        position="right"
        size="min(24rem, 100%)"
        title={`Data PBB ${name}`}
        closeButtonProps={{ 'aria-label': 'Tutup data PBB' }}
      >
        <Stack gap="0.5rem">{content}</Stack>
      </Drawer>
    );
  }
  if (!opened) return null;
  return (
    <Stack
      component="aside"
      className="no-print"
      gap={0}
      mih={0}
      px="md"
      pt="0.5rem"
      pb="md"
      bg="var(--mantine-color-body)"
      style={{ overflow: 'hidden auto', borderLeft: '1px solid var(--line)' }}
      aria-labelledby={titleId}
    >
      <Group justify="space-between" gap={0} mih={44}>
        <Title order={3} fz="md" id={titleId}>
          Data PBB
        </Title>
        <CloseButton aria-label="Tutup data PBB" onClick={onClose} />
      </Group>
      <Stack gap="0.5rem">{content}</Stack>
    </Stack>
  );
}
