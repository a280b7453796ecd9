import { useUserRecordCounts } from '#client/features/tax-records/display/user-records/user-records.tsx';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { formatSnoozedUntil } from '../actions/snooze-times.ts';
import { useConversationActions } from '../actions/use-conversation-actions.ts';
import { useOpenNextWaiting } from '../actions/next-waiting.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { useConversation } from '../../session/use-chat.ts';
import { useTimeSelector } from '../list/use-time-selector.ts';
import { ClaimAnnouncer, ClaimControl, claimText } from './claim-control.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import { HeadActions, HeadIcons, type HeadProps } from './head-actions.tsx';
import { HeadMenu, useDeleteHistory } from './head-menu.tsx';
import type { ConversationUser } from './use-conversation-user.ts';

type Props = {
  chatSession: ChatSession;
  userId: string;
  user: ConversationUser;
  summary: ConversationSummary | undefined;
  isSinglePane: boolean;
  /** The account is gone or an admin's: there is nothing to be done. */
  isReadOnly: boolean;
  /** Of the conversation, in px; null until it was measured. */
  width: number | null;
  noteCount: number;
  areRecordsOpen: boolean;
  onBack: (() => void) | undefined;
  onToggleRecords: () => void;
  onShowNotes: () => void;
  onDownload: () => void;
  /** Opens another conversation in the place of this one. */
  onOpen: (userId: string) => void;
};

/** Below this width the buttons stand in a menu. */
const BAR_MIN_PX = 640;
/** Below this one the name needs the room of the picture. */
const AVATAR_MIN_PX = 420;

/** The head of a conversation: whose it is, who handles it, and what can be done with it (R-INBOX-26). */
export function ConversationHead(props: Props) {
  const { chatSession, userId, user, summary, width, isReadOnly } = props;
  const { loaded, messages } = useConversation(userId);
  const actions = useConversationActions();
  const { confirmAndDelete, busy: isDeleting } = useDeleteHistory(chatSession, userId, user.name);
  const records = useUserRecordCounts(userId, !isReadOnly);
  const currentUserId = chatSession.currentUser.id;
  const openNext = useOpenNextWaiting(currentUserId, userId, props.onOpen);
  /** As after 'Kirim & lanjut', nothing is left to do here. */
  async function dismiss(): Promise<void> {
    const { doneIds } = await actions.dismiss(userId);
    if (doneIds.length > 0) await openNext();
  }
  const claimedBy = summary?.claimed_by ?? null;
  const snoozedUntil = summary?.state === 'snoozed' ? (summary.snoozed_until ?? null) : null;
  const snoozedText = useTimeSelector((nowMs) =>
    snoozedUntil === null ? '' : `Ditunda ${formatSnoozedUntil(snoozedUntil, nowMs)}`,
  );
  const headProps: HeadProps = {
    userId,
    currentUserId,
    actions,
    records,
    noteCount: props.noteCount,
    areRecordsOpen: props.areRecordsOpen,
    isDeleting,
    state: {
      claimedBy,
      snoozedText,
      isWaiting: (summary?.unanswered_since ?? null) !== null,
      hasMessages: loaded && messages.length > 0,
    },
    onToggleRecords: props.onToggleRecords,
    onShowNotes: props.onShowNotes,
    onDownload: props.onDownload,
    onDelete: () => void confirmAndDelete(),
    onDismiss: () => void dismiss(),
  };
  const hasBar = !isReadOnly && (width === null || width >= BAR_MIN_PX);
  const hasMenu = !isReadOnly && !hasBar;
  const stateText = [claimText(claimedBy, currentUserId), snoozedText].filter(Boolean).join(' · ');

  return (
    <>
      <ConversationHeader
        userId={userId}
        user={user}
        isSinglePane={props.isSinglePane}
        onBack={props.onBack}
        hasBar={hasBar}
        hasAvatar={width === null || width >= AVATAR_MIN_PX}
        stateText={hasMenu ? stateText : undefined}
      >
        {hasMenu ? (
          <>
            <ClaimControl
              userId={userId}
              claimedBy={claimedBy}
              currentUserId={currentUserId}
              actions={actions}
              withoutState
            />
            <HeadMenu {...headProps} />
          </>
        ) : null}
        {hasBar ? <HeadIcons {...headProps} /> : null}
      </ConversationHeader>
      {hasBar ? <HeadActions {...headProps} /> : null}
      <ClaimAnnouncer claimedBy={summary?.claimed_by} currentUserId={currentUserId} />
    </>
  );
}
