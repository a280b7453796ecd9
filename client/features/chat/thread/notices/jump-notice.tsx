import { Button, CloseButton, Loader } from '@mantine/core';
import { messageOf } from '#client/lib/api/api-error.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import type { Jump } from '../../state/model/segment.ts';
import classes from './notices.module.css';

type Props = { chatSession: ChatSession; userId: string; jump: Jump | null };

/** Above the messages: the one to which somebody jumped is loaded, could not be loaded, or does not exist any more. */
export function JumpNotice({ chatSession, userId, jump }: Props) {
  if (!jump || jump.loadState === 'none') return null;
  const close = <CloseButton aria-label="Tutup pemberitahuan" size={44} onClick={() => chatSession.endJump(userId)} />;
  if (jump.loadState === 'busy') {
    return (
      <output className={classes['jumpNotice']}>
        <Loader size="xs" aria-hidden />
        <span>Membuka pesan…</span>
      </output>
    );
  }
  return (
    <div className={classes['jumpNotice']} role="alert">
      {jump.loadState === 'missing' ? (
        <span>Pesan itu tidak ada lagi.</span>
      ) : (
        <>
          <span>{messageOf(jump.error, 'Pesan itu gagal dibuka')}</span>
          <Button
            variant="light"
            size="compact-md"
            mih={44}
            onClick={() => chatSession.jumpToMessage(userId, String(jump.targetId))}
          >
            Coba lagi
          </Button>
        </>
      )}
      {close}
    </div>
  );
}
