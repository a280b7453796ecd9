import { Text } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '#client/lib/api/api-error.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { useElementWidth } from '#client/ui/screen/observe-size.ts';
import { ShareRecordHost } from '../../cards/share/share-record.tsx';
import { setRecordDraft } from '../../drafts/record-draft.ts';
import { ConnectionNotice } from '../../thread/notices/connection-notice.tsx';
import { Thread } from '../../thread/thread.tsx';
import { countOnTheWay } from '../../state/model/outbox-entry.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { useConnectionState, useConversation, useConversationSummary, useOutbox } from '../../session/use-chat.ts';
import { NotesDrawer } from '../notes/notes-drawer.tsx';
import { ViewersNotice } from './viewers-notice.tsx';
import { useMarkNotesSeen, useNotes } from '../notes/use-notes.ts';
import { useNoteExtras } from '../notes/note-card.tsx';
import { RecordsPanel, useRecordsOpen } from './records-panel.tsx';
import { DownloadConversation } from '../transcript/download-conversation.tsx';
import { AdminComposer, useComposerMode } from '../composer/admin-composer.tsx';
import { ConversationHead } from './conversation-head.tsx';
import chat from '../../chat.module.css';
import classes from './conversation.module.css';
import { type AccountState, useConversationUser } from './use-conversation-user.ts';

type Props = {
  chatSession: ChatSession;
  userId: string;
  isSinglePane: boolean;
  /** The number of times that the message field was asked to take the focus; at 0 it does not. */
  fieldFocusRequests: number;
  /** Above the message field. */
  notice: ReactNode;
  /** Opens another conversation in the place of this one. */
  onOpen: (userId: string, wasWriting: boolean) => void;
  /** Without it there is no button to go back: a column has its own buttons. */
  onBack: (() => void) | undefined;
};

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

/** The records stand beside a thread that has so much room, in px. */
const BESIDE_MIN_PX = 704;

/** The right side of the inbox: one conversation, for one of several admins. */
export function ConversationPane({
  chatSession,
  userId,
  isSinglePane,
  fieldFocusRequests,
  notice,
  onOpen,
  onBack,
}: Props) {
  const user = useConversationUser(userId);

  const { loaded, error } = useConversation(userId);
  const closed = closedTexts[user.accountState];
  // The link names an unknown or deleted user, or an admin: nothing can be written to them.
  const isUserMissing = !loaded && error instanceof ApiError && (error.status === 404 || error.status === 403);
  const field = useRef<HTMLTextAreaElement>(null);
  const isOffline = useConnectionState() === 'offline';
  const waitingCount = countOnTheWay(useOutbox(userId));

  useEffect(() => {
    if (fieldFocusRequests > 0) field.current?.focus({ preventScroll: true });
  }, [fieldFocusRequests]);
  useEffect(() => chatSession.view(userId), [chatSession, userId]);

  const pane = useRef<HTMLElement>(null);
  const width = useElementWidth(pane);
  const summary = useConversationSummary(userId);
  const hasNotes = !isUserMissing && !closed;
  const { data: notes } = useNotes(userId, { enabled: hasNotes && summary?.note_count !== 0 });
  const noteExtras = useNoteExtras(notes);
  useMarkNotesSeen(userId, chatSession.currentUser.id, notes);
  const [openDialog, setOpenDialog] = useState<'notes' | 'records' | 'download' | null>(null);
  const closeDialog = (): void => setOpenDialog(null);
  const [, setComposerMode] = useComposerMode(userId);
  function writeNote(): void {
    // Ends the typing notice of the reply; a note is written without one.
    chatSession.typed(userId, false);
    flushSync(() => setComposerMode('note'));
    field.current?.focus({ preventScroll: true });
  }
  function shareRecord(record: TaxRecord): void {
    setRecordDraft(userId, record);
    flushSync(() => {
      // A note carries no record.
      setComposerMode('answer');
      closeDialog();
    });
    field.current?.focus({ preventScroll: true });
  }
  const isBeside = width !== null && width >= BESIDE_MIN_PX;
  const recordsBeside = useRecordsOpen();
  const areRecordsOpen = hasNotes && (isBeside ? recordsBeside.isOpen : openDialog === 'records');

  /** Escape closes the innermost: the records, while the focus is in them or on their button. */
  function closeRecordsByKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented || !isBeside || !areRecordsOpen) return;
    if (!(event.target instanceof Element)) return;
    const opener = pane.current?.querySelector<HTMLElement>('[data-opens-records]');
    if (event.target !== opener && !event.target.closest('aside')) return;
    event.preventDefault();
    recordsBeside.setOpen(false);
    opener?.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- for a key of what is inside
    <section
      ref={pane}
      onKeyDown={closeRecordsByKey}
      className={classes['pane']}
      aria-label={`Percakapan dengan ${user.name}`}
    >
      <ConversationHead
        chatSession={chatSession}
        userId={userId}
        user={user}
        summary={summary}
        isSinglePane={isSinglePane}
        isReadOnly={!hasNotes}
        width={width}
        noteCount={notes?.length ?? summary?.note_count ?? 0}
        areRecordsOpen={areRecordsOpen}
        onBack={onBack}
        onToggleRecords={() => (isBeside ? recordsBeside.setOpen(!areRecordsOpen) : setOpenDialog('records'))}
        onShowNotes={() => setOpenDialog('notes')}
        onDownload={() => setOpenDialog('download')}
        onOpen={(id) => onOpen(id, false)}
      />
      <ViewersNotice userId={userId} adminId={chatSession.currentUser.id} />
      <div className={classes['body']} data-beside={(areRecordsOpen && isBeside) || undefined}>
        <div className={classes['main']} data-drop-files>
          <Thread
            chatSession={chatSession}
            userId={userId}
            label={`Pesan dengan ${user.name}`}
            emptyTitle={closed?.title ?? 'Tidak ada pesan'}
            emptyText={closed ? undefined : 'Mulai percakapan dengan user ini'}
            extras={noteExtras}
            showSenders
            canQuote={hasNotes}
          />
          {notice}
          {closed ? (
            <Text
              component="output"
              flex="none"
              px="md"
              py="lg"
              fz="sm"
              c="dimmed"
              ta="center"
              style={{ borderTop: '1px solid var(--line)' }}
            >
              {closed.text}
            </Text>
          ) : null}
          {isUserMissing || closed ? null : (
            <>
              {user.accountState === 'inactive' ? (
                <output className={chat['warning']}>
                  Akun ini nonaktif. Warga ini belum bisa membaca jawaban Anda sampai akunnya diaktifkan kembali.
                </output>
              ) : null}
              <ConnectionNotice offline={isOffline} waiting={waitingCount} />
              <AdminComposer ref={field} chatSession={chatSession} userId={userId} onOpen={onOpen} />
              <ShareRecordHost userId={userId} focusField={() => field.current?.focus({ preventScroll: true })} />
            </>
          )}
        </div>
        {hasNotes ? (
          <RecordsPanel
            userId={userId}
            name={user.name}
            isBeside={isBeside}
            opened={areRecordsOpen}
            onShare={shareRecord}
            onClose={() => (isBeside ? recordsBeside.setOpen(false) : closeDialog())}
          />
        ) : null}
      </div>
      {hasNotes ? (
        <>
          <NotesDrawer
            userId={userId}
            name={user.name}
            opened={openDialog === 'notes'}
            onClose={closeDialog}
            onWrite={writeNote}
          />
          <DownloadConversation
            userId={userId}
            name={user.name}
            opened={openDialog === 'download'}
            onClose={closeDialog}
          />
        </>
      ) : null}
    </section>
  );
}
