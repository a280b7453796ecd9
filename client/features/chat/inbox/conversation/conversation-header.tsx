import { ActionIcon, Avatar, Title } from '@mantine/core';
import { IconArrowLeft, IconTrash } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { presenceAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { useConversation } from '../../session/use-chat.ts';
import classes from './conversation.module.css';
import type { AccountState, ConversationUser } from './use-conversation-user.ts';

type Props = {
  chatSession: ChatSession;
  userId: string;
  user: ConversationUser;
  /** Whether the list is not beside it; then this is the page's only heading. */
  isSinglePane: boolean;
  /** None in a column, which has its own buttons. */
  onBack: (() => void) | undefined;
};

/** Stands where the presence of the user would stand. */
const accountBadges: Record<AccountState, string | null> = {
  active: null,
  inactive: 'Akun nonaktif',
  deleted: 'Akun dihapus',
  admin: 'Akun admin',
};

/**
 * The head of a conversation: the user with name, e-mail and presence, a back button, and a button to delete the history.
 */
export function ConversationHeader({ chatSession, userId, user, isSinglePane, onBack }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const isPresenceKnown = useAtomValue(socketConnectedAtom);
  const online = useAtomValue(presenceAtom).onlineUserIds.has(userId);
  const badge = accountBadges[user.accountState];
  const { loaded, messages } = useConversation(userId);
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
      title: `Hapus Chat dengan ${user.name}`,
      message: 'Tindakan ini akan menghapus seluruh riwayat percakapan. Anda yakin ingin melanjutkan?',
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (isConfirmed) await deleteHistory();
  }

  return (
    <header className={classes['head']}>
      {onBack ? (
        <ActionIcon color="gray" aria-label="Kembali (Back)" title="Kembali" onClick={onBack}>
          <IconArrowLeft size={22} aria-hidden />
        </ActionIcon>
      ) : null}
      <Avatar color="laut" radius="xl" size={40} aria-hidden>
        {user.name.trim().charAt(0).toUpperCase()}
      </Avatar>
      <div className={classes['who']}>
        <Title order={isSinglePane ? 1 : 2} ref={heading} tabIndex={-1} className={classes['name'] ?? ''}>
          {user.accountState === 'deleted' ? (
            user.name
          ) : (
            <Link to={paths.adminUser(userId)} className={classes['userLink']} title={`Buka halaman ${user.name}`}>
              {user.name}
            </Link>
          )}
        </Title>
        <p className={classes['about']}>
          {badge ? (
            <span className={classes['account']}>{badge}</span>
          ) : isPresenceKnown ? (
            <span className={classes['presence']} data-online={online || undefined}>
              {online ? 'Online' : 'Offline'}
            </span>
          ) : (
            <span title="Belum diketahui selama sambungan terputus">–</span>
          )}
          {user.email ? <span className={classes['email']}> · {user.email}</span> : null}
        </p>
      </div>
      <ActionIcon
        color="red"
        aria-label="Hapus riwayat chat"
        title="Hapus riwayat chat"
        loading={busy}
        disabled={!loaded || messages.length === 0}
        onClick={() => void confirmAndDelete()}
      >
        <IconTrash size={20} aria-hidden />
      </ActionIcon>
    </header>
  );
}
