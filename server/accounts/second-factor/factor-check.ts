import { cleanCode } from '#shared/domain/users/access-codes.ts';
import { DUMMY_HASH, verifyPassword } from '#server/accounts/passwords.ts';
import type { GateOptions } from '#server/accounts/password-gate.ts';
import type { Connection, Transaction } from '#server/db/engine.ts';
import { createSealing } from '#server/security/sealed-text.ts';
import * as queries from './factor-queries.ts';
import { matchStep } from './totp.ts';

/** The characters of a spare code by which it is found: the ten of an account differ in them. */
export const BEGINNING_CHARACTERS = 2;
export const beginningOf = (code: string): string => code.slice(0, BEGINNING_CHARACTERS);

/** Wrong codes of an account are counted under this key, over all its tickets and sessions. */
export const factorKey = (userId: string): string => `factor ${userId}`;
export const createSecretSealing = (secret: string) => createSealing(secret, 'pbb-kita/second-factor/1');

/** A right code that is not used yet. */
export type FactorProof = { kind: 'app'; step: number } | { kind: 'spare'; row: queries.SpareCodeRow };

const APP_CODE = /^\d{6}$/;

/** Checks codes of the second factor of an account: those of the app, and the spare ones (R-ACCESS-62). */
export function createFactorCheck({ orm, secret, now }: { orm: Connection; secret: string; now: () => number }) {
  const sealing = createSecretSealing(secret);

  /** @returns the time step of a code for a secret as it is stored; null for a wrong one */
  function stepOf({ userId, secret: sealed }: queries.FactorRow, typed: string): number | null {
    const code = cleanCode(typed);
    const opened = APP_CODE.test(code) ? sealing.open(sealed, userId) : null;
    return opened === null ? null : matchStep(opened, code, now());
  }

  return {
    stepOf,

    /** @returns null for a wrong or used code, and for an account without a second factor @throws 503 */
    async findProof(userId: string, typed: string, waiting: GateOptions): Promise<FactorProof | null> {
      const factor = await queries.findFactor(orm, userId);
      if (!factor) return null;
      const code = cleanCode(typed);
      if (APP_CODE.test(code)) {
        const step = stepOf(factor, code);
        return step !== null && step > factor.lastStep ? { kind: 'app', step } : null;
      }
      const row = await queries.findSpareCode(orm, userId, beginningOf(code));
      const isRight = await verifyPassword(code, row?.codeHash ?? DUMMY_HASH, waiting);
      return row && isRight ? { kind: 'spare', row } : null;
    },

    /** Uses a code, so that it is right never again. @returns false when another call has used it meanwhile */
    use: (tx: Transaction, userId: string, proof: FactorProof): Promise<boolean> =>
      proof.kind === 'app' ? queries.useStep(tx, userId, proof.step) : queries.takeSpareCode(tx, proof.row),
  };
}
