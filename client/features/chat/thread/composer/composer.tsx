import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useRef } from 'react';
import type { ChatSession } from '../../session/chat-session.ts';
import { bindQuoteField, useQuoteDraft, writeQuoteDraft } from '../../session/quote-drafts.ts';
import { ComposerForm } from './composer-form.tsx';
import { QuoteBar } from './quote-bar.tsx';
import { useDraft } from './use-draft.ts';

type Props = {
  chatSession: ChatSession;
  userId: string;
  placeholder: string;
  autoFocus?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
};

/** The message field of a user; the draft and what it quotes are kept. */
export function Composer(props: Props) {
  // Another conversation has another draft.
  return <ConversationComposer key={props.userId} {...props} />;
}

function ConversationComposer({ chatSession, userId, placeholder, autoFocus, ref }: Props) {
  const { id: currentUserId, side } = chatSession.currentUser;
  const [text, setText] = useDraft(currentUserId, userId);
  const quote = useQuoteDraft(currentUserId, userId);
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldRef = useMergedRef(ref, field);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  useEffect(
    () =>
      bindQuoteField(userId, (chosen) => {
        writeQuoteDraft(currentUserId, userId, chosen);
        field.current?.focus();
      }),
    [currentUserId, userId],
  );

  function send(): boolean {
    if (!chatSession.send(userId, text, quote)) return false;
    setText('');
    writeQuoteDraft(currentUserId, userId, null);
    return true;
  }

  return (
    <ComposerForm
      side={side}
      field={fieldRef}
      text={text}
      onChange={(value) => {
        setText(value);
        chatSession.typed(userId, value.trim() !== '');
      }}
      onSend={send}
      placeholder={placeholder}
      above={
        quote ? (
          <QuoteBar
            quote={quote}
            currentUserId={currentUserId}
            onCancel={() => {
              writeQuoteDraft(currentUserId, userId, null);
              field.current?.focus();
            }}
          />
        ) : null
      }
    />
  );
}
