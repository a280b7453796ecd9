import type { Ref, RefObject } from 'react';
import type { ChatSession } from '../../session/chat-session.ts';
import type { DraftMode } from '../../session/drafts.ts';

/** What the field of an answer and that of a note get. */
export type ModeProps = {
  chatSession: ChatSession;
  userId: string;
  currentUserId: string;
  field: RefObject<HTMLTextAreaElement | null>;
  fieldRef: Ref<HTMLTextAreaElement>;
  changeMode: (mode: DraftMode) => void;
};
