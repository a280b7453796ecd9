import { IconEye } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { ApiError } from '#client/lib/api-error.ts';
import { Composer } from '../../thread/composer.tsx';
import { ConnectionNotice } from '../../thread/connection-notice.tsx';
import { Thread } from '../../thread/thread.tsx';
import type { ChatSession } from '../../session/chat-session.ts';
import type { Participant } from '../../session/ephemeral-state.ts';
import { useConnectionState, useConversation, useOutbox, useViewers } from '../../session/use-chat.ts';
import { ConversationHeader } from './conversation-header.tsx';
import classes from './conversation.module.css';
import { type AccountState, useConversationUser } from './use-conversation-user.ts';

type Props = {
  chatSession: ChatSession;
  userId: string;
  isSinglePane: boolean;
  /** How often the message field was asked to take the focus; at 0 it is left alone. */
  fieldFocusRequests: number;
  /** Without it there is no button to go back: a column has its own buttons. */
  onBack: (() => void) | undefined;
};

/** 'Ibu Ratna', 'Ibu Ratna dan Pak Joko', 'Ibu Ratna, Pak Joko, dan 2 lainnya'. */
function namesOf(viewers: readonly Participant[]): string {
  const [first, second, ...rest] = viewers.map(({ name }) => name);
  if (second === undefined) return first ?? '';
  return rest.length === 0 ? `${first} dan ${second}` : `${first}, ${second}, dan ${rest.length} lainnya`;
}

/** Which other admins have the same conversation open, so that no two of them answer at once. */
function ViewersNotice({ viewers }: { viewers: readonly Participant[] }) {
  return (
    <output className={classes['viewers']} data-empty={viewers.length === 0 || undefined}>
      {viewers.length === 0 ? null : (
        <>
          <IconEye size={16} aria-hidden />
          {namesOf(viewers)} juga melihat percakapan ini
        </>
      )}
    </output>
  );
}

/** Why nothing can be written here any more. */
const closedTexts: Partial<Record<AccountState, { title: string; text: string }>> = {
  deleted: {
    title: 'Percakapan ikut terhapus',
    text: 'Akun ini sudah dihapus bersama percakapannya. Pesan tidak dapat dikirim lagi.',
  },
  admin: {
    title: 'Percakapan ditutup',
    text: 'Akun ini sekarang admin. Percakapan hanya untuk warga.',
  },
};

/** The right side of the inbox: one conversation, for one of several admins. */
export function ConversationPane({ chatSession, userId, isSinglePane, fieldFocusRequests, onBack }: Props) {
  const user = useConversationUser(userId);
  const viewers = useViewers(userId).filter(({ id }) => id !== chatSession.currentUser.id);

  const { loaded, error } = useConversation(userId);
  const closed = closedTexts[user.accountState];
  // The link names an unknown or deleted user, or an admin: nothing can be written to them.
  const isUserMissing = !loaded && error instanceof ApiError && (error.status === 404 || error.status === 403);
  const field = useRef<HTMLTextAreaElement>(null);
  const isOffline = useConnectionState() === 'offline';
  const waitingCount = useOutbox(userId).filter(({ state }) => state === 'waiting').length;

  useEffect(() => {
    if (fieldFocusRequests > 0) field.current?.focus({ preventScroll: true });
  }, [fieldFocusRequests]);
  useEffect(() => chatSession.view(userId), [chatSession, userId]);

  return (
    <section className={classes['pane']} aria-label={`Percakapan dengan ${user.name}`}>
      <ConversationHeader
        chatSession={chatSession}
        userId={userId}
        user={user}
        isSinglePane={isSinglePane}
        onBack={onBack}
      />
      <ViewersNotice viewers={viewers} />
      <Thread
        chatSession={chatSession}
        userId={userId}
        label={`Pesan dengan ${user.name}`}
        emptyTitle={closed?.title ?? 'Tidak ada pesan'}
        emptyText={closed ? undefined : 'Mulai percakapan dengan user ini'}
        showSenders
      />
      {closed ? <output className={classes['closed']}>{closed.text}</output> : null}
      {isUserMissing || closed ? null : (
        <>
          {user.accountState === 'inactive' ? (
            <output className={classes['inactive']}>
              Akun ini nonaktif. Warga ini belum bisa membaca jawaban Anda sampai akunnya diaktifkan kembali.
            </output>
          ) : null}
          <ConnectionNotice offline={isOffline} waiting={waitingCount} />
          <Composer ref={field} chatSession={chatSession} userId={userId} placeholder="Tulis pesan..." />
        </>
      )}
    </section>
  );
}
