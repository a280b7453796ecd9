import { Button, type ButtonProps } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { logout } from '#client/features/auth/api.ts';
import { countUnsentMessages } from '#client/features/chat/effects/unsent-messages.ts';
import { hasDrafts } from '#client/features/chat/drafts/drafts.ts';
import { accountIdOf, beginLogout, currentSession, finishLogout } from '#client/lib/session/session.ts';
import { confirmLeave } from '#client/ui/form/use-unsaved-warning.ts';
import { SignOutDialog, type UnsentWork } from './sign-out-dialog.tsx';

const SIGN_OUT_TIMEOUT_MS = 2000;

/**
 * Ends the session in this browser, even without an answer of the server.
 * A lost connection must not keep a borrowed phone signed in.
 */
async function signOut(): Promise<void> {
  const session = beginLogout();
  await Promise.race([
    logout().catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT_MS)),
  ]);
  finishLogout(session);
}

function findUnsentWork(): UnsentWork | null {
  const user = currentSession()?.user;
  if (!user) return null;
  const messageCount = countUnsentMessages(accountIdOf(user));
  const work = { messageCount, hasDrafts: hasDrafts(accountIdOf(user)) };
  return messageCount > 0 || work.hasDrafts ? work : null;
}

/** The code of the chat is loaded after the page, and cannot be without a connection. */
async function sendUnsentMessages(): Promise<boolean> {
  try {
    const chat = await import('#client/features/chat/session/use-chat.ts');
    return await chat.sendUnsentMessages();
  } catch (error) {
    console.warn('Live Chat belum dapat dimuat', error);
    return false;
  }
}

export function SignOutButton(props: ButtonProps) {
  const [work, setWork] = useState<UnsentWork | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const isAsking = useRef(false);
  const leaving = useSubmit(signOut);
  const sending = useSubmit(async () => {
    setHasFailed(false);
    const isSent = await sendUnsentMessages();
    // The user may have cancelled meanwhile, and then stays.
    if (!isAsking.current) return;
    setHasFailed(!isSent);
    askOrLeave();
  });

  /** Asks again for what is left, such as a draft, and about the messages that could not be sent. */
  function askOrLeave(): void {
    const unsentWork = findUnsentWork();
    isAsking.current = unsentWork !== null;
    setWork(unsentWork);
    if (!unsentWork) void leaving.submit();
  }

  function closeQuestion(): void {
    isAsking.current = false;
    setWork(null);
  }

  async function begin(): Promise<void> {
    if (!(await confirmLeave())) return;
    setHasFailed(false);
    askOrLeave();
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconLogout size={18} aria-hidden />}
        aria-label="Keluar (Logout)"
        {...props}
        loading={leaving.busy}
        onClick={() => void begin()}
      >
        Keluar
      </Button>
      <SignOutDialog
        work={work}
        sending={sending.busy}
        hasFailed={hasFailed}
        onSend={() => void sending.submit()}
        onDiscard={() => {
          closeQuestion();
          void leaving.submit();
        }}
        onCancel={closeQuestion}
      />
    </>
  );
}
