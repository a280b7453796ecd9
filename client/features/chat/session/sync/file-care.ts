import type { Message } from '#shared/api/chat.ts';
import type { ChatCurrentUser } from '../state.ts';
import type { MessageRenewalDeps } from './message-renewal.ts';

/** Keeps the files of messages on the screen usable and marked. Its code is loaded with the first need: few visits have one. */
export function createFileCare({ currentUser, ...deps }: MessageRenewalDeps & { currentUser: ChatCurrentUser }) {
  async function load() {
    const [{ createMessageRenewal }, { createProofMarks }] = await Promise.all([
      import('./message-renewal.ts'),
      import('./proof-marks.ts'),
    ]);
    const renewMessage = createMessageRenewal(deps);
    return { renewMessage, proofMarks: createProofMarks({ store: deps.store, currentUser, renewMessage }) };
  }
  type Care = Awaited<ReturnType<typeof load>>;
  let loading: Promise<Care> | undefined;

  async function withCare(act: (care: Care) => Promise<void> | void): Promise<void> {
    try {
      loading ??= load();
      await act(await loading);
    } catch (error) {
      loading = undefined;
      console.warn('The files of messages could not be renewed', error);
    }
  }

  return {
    /** Reads a message again, for fresh links to its files. Never rejects. */
    renewMessage: (userId: string, messageId: string): Promise<void> =>
      withCare(({ renewMessage }) => renewMessage(userId, messageId)),
    /** New messages of one conversation: a notice may name a photo that became a proof. */
    receive(messages: readonly Message[]): void {
      if (messages.some(({ kind }) => kind === 'notice'))
        void withCare(({ proofMarks }) => proofMarks.receive(messages));
    },
    /** The proof of a record may be another one now. */
    recordChanged: (userId: string, recordId: string): void =>
      void withCare(({ proofMarks }) => proofMarks.recordChanged(userId, recordId)),
  };
}
