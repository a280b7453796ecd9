import { DAY_MS } from '#shared/durations.ts';
import { createLinkSigner, type LinkSigning } from '#server/security/signed-links.ts';

/** An unused session lives as long: a notification that is older was overlooked for good. */
const TOKEN_LIFETIME_MS = 7 * DAY_MS;

/** The right of a notification: to mark as read up to this message, and to answer in this conversation, for this session. */
export type PushAction = {
  sessionId: string;
  /** The role for which the push was made. */
  isAdmin: boolean;
  /** The user of the conversation. */
  userId: string;
  messageId: number;
};

/**
 * Tokens of the buttons of a notification (R-PUSH-30). They are not sessions: a token is worth nothing after the
 * sign-out, because every use asks whether its session still lives.
 */
export function createActionTokens(signing: LinkSigning) {
  const signer = createLinkSigner(signing, 'pbb-kita/push-actions/1');

  return {
    issue({ sessionId, isAdmin, userId, messageId }: PushAction): string {
      const parts = [sessionId, isAdmin ? 'admin' : 'user', userId, messageId, signing.now() + TOKEN_LIFETIME_MS];
      const content = Buffer.from(parts.join('\n')).toString('base64url');
      return `${content}.${signer.sign(content)}`;
    },

    /** @returns null when this server did not make the token, or it is too old */
    read(token: string): PushAction | null {
      const [content = '', signature = ''] = token.split('.');
      if (!signer.isValid(content, signature)) return null;
      const [sessionId = '', side, userId = '', messageId, expiresAtMs = '0'] = Buffer.from(content, 'base64url')
        .toString()
        .split('\n');
      if (signer.isExpired(Number(expiresAtMs))) return null;
      return { sessionId, isAdmin: side === 'admin', userId, messageId: Number(messageId) };
    },
  };
}
export type ActionTokens = ReturnType<typeof createActionTokens>;
