import { Secret, TOTP } from 'otpauth';

/** The codes that every app on phones computes: RFC 6238 with SHA-1, six digits, 30 seconds. */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Codes of the step before and of the one after count too: clocks differ. */
const STEPS_AROUND = 1;

/** In base32, as people type it into an app. */
export const makeSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The address that an app reads from a QR code. */
export const otpauthUrl = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ ...KIND, secret: Secret.fromBase32(secret), issuer, label }).toString();

/** @returns the time step of the code; null for a wrong one */
export function matchStep(secret: string, code: string, nowMs: number): number | null {
  const delta = TOTP.validate({
    ...KIND,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp: nowMs,
    window: STEPS_AROUND,
  });
  return delta === null ? null : Math.floor(nowMs / 1000 / KIND.period) + delta;
}
