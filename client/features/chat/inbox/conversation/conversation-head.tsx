import { ActionIcon, Avatar, Title } from '@mantine/core';
import { IconArrowLeft, IconTrash } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useRef } from 'react';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { ChatClient } from '../../session/client.ts';
import { liveAtom } from '../../session/state.ts';
import { useConversation } from '../../session/use-chat.ts';
import classes from './conversation.module.css';
import type { ResidentName } from './use-person.ts';

type Props = {
  client: ChatClient;
  userId: string;
  person: ResidentName;
  /** The page's only heading where the list is not beside it. */
  alone: boolean;
  onBack: () => void;
};

/** Above a conversation: with whom, whether they are here, the way back, and the deletion of its history. */
export function ConversationHead({ client, userId, person, alone, onBack }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const online = useAtomValue(liveAtom).onlineUserIds.has(userId);
  const { loaded, messages } = useConversation(userId);
  const { submit: clear, busy } = useSubmit(async () => {
    try {
      await client.clear(userId);
      notify.success('Riwayat percakapan dihapus');
    } catch (error) {
      notify.failure(error, 'Gagal menghapus riwayat percakapan');
    }
  });
  async function askAndClear(): Promise<void> {
    const yes = await confirm({
      title: `Hapus Chat dengan ${person.name}`,
      message: 'Tindakan ini akan menghapus seluruh riwayat percakapan. Anda yakin ingin melanjutkan?',
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (yes) await clear();
  }

  return (
    <header className={classes['head']}>
      <ActionIcon color="gray" aria-label="Kembali (Back)" title="Kembali" onClick={onBack}>
        <IconArrowLeft size={22} aria-hidden />
      </ActionIcon>
      <Avatar color="laut" radius="xl" size={40} aria-hidden>
        {person.name.trim().charAt(0).toUpperCase()}
      </Avatar>
      <div className={classes['who']}>
        <Title order={alone ? 1 : 2} ref={heading} tabIndex={-1} className={classes['name'] ?? ''}>
          {person.name}
        </Title>
        <p className={classes['about']}>
          <span className={classes['presence']} data-online={online || undefined}>
            {online ? 'Online' : 'Offline'}
          </span>
          {person.email ? <span className={classes['email']}> · {person.email}</span> : null}
        </p>
      </div>
      <ActionIcon
        color="red"
        aria-label="Hapus riwayat chat"
        title="Hapus riwayat chat"
        loading={busy}
        disabled={!loaded || messages.length === 0}
        onClick={() => void askAndClear()}
      >
        <IconTrash size={20} aria-hidden />
      </ActionIcon>
    </header>
  );
}
