import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconDotsVertical, IconFileInvoice, IconMessageCheck, IconNotes } from '@tabler/icons-react';
import { useState } from 'react';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { SnoozeItems } from '../actions/snooze-menu.tsx';
import { SnoozeTimeDialog } from '../actions/snooze-time-dialog.tsx';
import { countedLabel, type HeadProps, HistoryItems, recordsLabel } from './head-actions.tsx';
import classes from './conversation.module.css';
import type { ChatSession } from '../../session/chat-session.ts';

/** Asks, and deletes the history of a conversation for both sides (R-CHAT-20). */
export function useDeleteHistory(chatSession: ChatSession, userId: string, name: string) {
  const { submit: deleteHistory, busy } = useSubmit(async () => {
    try {
      await chatSession.clear(userId);
      notify.success('Riwayat percakapan dihapus');
    } catch (error) {
      notify.failure(error, 'Gagal menghapus riwayat percakapan');
    }
  });
  async function confirmAndDelete(): Promise<void> {
    const isConfirmed = await confirm({
      title: `Hapus Chat dengan ${name}`,
      message: (
        <>
          <Text>Tindakan ini akan menghapus seluruh riwayat percakapan. Anda yakin ingin melanjutkan?</Text>
          <Text c="dimmed" mt="xs">
            Catatan internal tentang warga ini tetap ada.
          </Text>
        </>
      ),
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (isConfirmed) await deleteHistory();
  }
  return { confirmAndDelete, busy };
}

/** The same as `HeadActions`, behind one button, where there is no room for a row of them. */
export function HeadMenu(props: HeadProps) {
  const { userId, state, actions, records, noteCount } = props;
  const [isPickingTime, setIsPickingTime] = useState(false);
  const snooze = (until: string): void => void actions.snooze(userId, until);
  return (
    <>
      <Menu position="bottom-end" width={270} classNames={{ item: classes['menuItem'] ?? '' }}>
        <Menu.Target>
          <ActionIcon color="gray" aria-label="Tindakan lain" title="Tindakan lain">
            <IconDotsVertical size={22} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFileInvoice size={18} aria-hidden />} onClick={props.onToggleRecords}>
            {recordsLabel(records)}
          </Menu.Item>
          <Menu.Item leftSection={<IconNotes size={18} aria-hidden />} onClick={props.onShowNotes}>
            {countedLabel('Catatan', noteCount)}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconMessageCheck size={18} aria-hidden />}
            disabled={actions.busy || !state.isWaiting}
            onClick={props.onDismiss}
          >
            Tidak perlu dibalas
          </Menu.Item>
          {state.hasMessages ? (
            <>
              <Menu.Divider />
              <Menu.Label>Tunda</Menu.Label>
              <SnoozeItems
                isSnoozed={state.snoozedText !== ''}
                onSnooze={snooze}
                onUnsnooze={() => void actions.unsnooze(userId)}
                onPickTime={() => setIsPickingTime(true)}
              />
            </>
          ) : null}
          <Menu.Divider />
          <HistoryItems {...props} />
        </Menu.Dropdown>
      </Menu>
      {isPickingTime ? <SnoozeTimeDialog onClose={() => setIsPickingTime(false)} onChoose={snooze} /> : null}
    </>
  );
}
