import { errorCode } from '#server/files/atomic.ts';

/**
 * A reason for which PostgreSQL refuses a connection until somebody changes a setting. `rule`: its `pg_hba.conf` has no line for
 * this computer and this kind of connection. Then PostgreSQL does not ask for the password.
 */
export type Refusal = 'password' | 'rule' | 'no encryption' | 'certificate' | 'no database';

/** Of OpenSSL and Node, for a certificate that is not trusted, has ended, or is for another name. */
const CERTIFICATE_CODES = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
/** The part of PostgreSQL that reads `pg_hba.conf`. Its messages may be in any language. */
const RULES_ROUTINE = 'ClientAuthentication';
/** `pg` gives it no code. */
const NO_ENCRYPTION = 'The server does not support SSL connections';

/** An error, or what caused it, because Drizzle wraps errors of the database. */
const withCause = (error: unknown): unknown[] => (error instanceof Error ? [error, error.cause] : [error]);

const isOfRules = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === RULES_ROUTINE;

/** @returns null for any other error */
export function findRefusal(error: unknown): Refusal | null {
  const code = errorCode(error) ?? '';
  if (code.startsWith('28')) return withCause(error).some(isOfRules) ? 'rule' : 'password';
  if (code === '3D000') return 'no database';
  if (CERTIFICATE_CODES.test(code)) return 'certificate';
  const texts = withCause(error).map((each) => (each instanceof Error ? each.message : ''));
  return texts.includes(NO_ENCRYPTION) ? 'no encryption' : null;
}
