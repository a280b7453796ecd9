import { SegmentedControl, Text } from '@mantine/core';
import { IconLock, IconMessage2 } from '@tabler/icons-react';
import { useId, type Ref, type RefObject } from 'react';
import type { DraftMode } from '../../drafts/drafts.ts';
import classes from './admin-composer.module.css';
import type { ChatSession } from '../../session/chat-session.ts';

/** The props that the field of an answer and that of a note have in common. */
export type ModeProps = {
  chatSession: ChatSession;
  userId: string;
  currentUserId: string;
  field: RefObject<HTMLTextAreaElement | null>;
  fieldRef: Ref<HTMLTextAreaElement>;
  changeMode: (mode: DraftMode) => void;
};

type Props = {
  mode: DraftMode;
  /** Whether the other mode has a draft. */
  hasOtherDraft: boolean;
  onChange: (mode: DraftMode) => void;
};

/** 'Balas' for the user, or 'Catatan' for the admins alone. */
export function ModeSwitch({ mode, hasOtherDraft, onChange }: Props) {
  const labelId = useId();
  const label = (value: DraftMode, text: string) => (
    <span className={classes['mode']}>
      {value === 'note' ? <IconLock size={16} aria-hidden /> : <IconMessage2 size={16} aria-hidden />}
      {text}
      {hasOtherDraft && value !== mode ? (
        <Text span fz="xs">
          (draf)
        </Text>
      ) : null}
    </span>
  );
  return (
    <>
      <span id={labelId} hidden>
        Jenis tulisan
      </span>
      <SegmentedControl
        aria-labelledby={labelId}
        value={mode}
        onChange={(value) => onChange(value === 'note' ? 'note' : 'answer')}
        data={[
          { value: 'answer', label: label('answer', 'Balas') },
          { value: 'note', label: label('note', 'Catatan') },
        ]}
      />
    </>
  );
}
