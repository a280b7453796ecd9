import { argon2Sync } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { sessions, taxRecords, users } from '#server/db/schema.ts';
import { checkStateOf, unchecked } from '#server/records/verification-state.ts';
import type { TestApp } from './test-app.ts';

export type UserRow = typeof users.$inferSelect;
export type RecordRow = typeof taxRecords.$inferSelect;
export type SignedInUser = UserRow & { token: string; sessionId: string };

let counter = 0;

/** The hash of a password at the lowest cost. It carries its cost, so that a check is quick too; a real one takes 20 ms. */
export function cheapHash(password: string): string {
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const salt = Buffer.alloc(16, 1);
  const key = argon2Sync('argon2id', { message: password, nonce: salt, ...cost });
  const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=8,t=1,p=1$${text(salt)}$${text(Buffer.from(key))}`;
}

/** No password has this hash. */
const NO_PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** An active user with a session. No password opens the account. */
export function buildTestUser(test: TestApp, overrides: Partial<UserRow> = {}): SignedInUser {
  counter += 1;
  const at = test.clock.now();
  const user: UserRow = {
    id: newId(),
    name: `Warga ${counter}`,
    email: `warga${counter}@contoh.id`,
    passwordHash: NO_PASSWORD_HASH,
    isAdmin: false,
    isActive: true,
    passwordChangedAt: 0,
    adminSince: overrides.isAdmin ? 1 : 0,
    seenNoticeId: 0,
    adminEndedAt: null,
    mustChangePassword: false,
    phone: null,
    phoneSince: null,
    phoneConsentAt: null,
    seenSecurityId: 0,
    seenEmailChangeId: 0,
    createdAt: at,
    updatedAt: at,
    ...overrides,
  };
  test.database.direct.insert(users).values(user).run();
  return { ...user, ...buildSession(test, user.id) };
}

/** The password of every account of `buildAdmin`. */
export const ADMIN_PASSWORD = 'rahasia-admin';
const ADMIN_HASH = cheapHash(ADMIN_PASSWORD);
/** The field that a change of administrators needs. */
export const ownPassword = { current_password: ADMIN_PASSWORD };

export function buildAdmin(test: TestApp, overrides: Partial<UserRow> = {}): SignedInUser {
  return buildTestUser(test, { name: 'Ibu Ratna', isAdmin: true, passwordHash: ADMIN_HASH, ...overrides });
}

/** Adds a session to an account, as a login on another device does. */
export function buildSession(test: TestApp, userId: string): { token: string; sessionId: string } {
  const at = test.clock.now();
  const sessionId = newId();
  const expiresAt = at + 30 * 24 * 60 * 60 * 1000;
  test.database.direct
    .insert(sessions)
    .values({ id: sessionId, userId, createdAt: at, lastSeenAt: at, expiresAt, userAgent: null, address: null })
    .run();
  const token = test.server.jwt.sign({
    sub: userId,
    jti: sessionId,
    iat: Math.floor(at / 1000),
    exp: Math.floor(expiresAt / 1000),
  });
  return { token, sessionId };
}

/** Stores a record of 100,000 rupiah for 2025, not paid, without dates. */
export function buildRecord(test: TestApp, userId: string, overrides: Partial<RecordRow> = {}): RecordRow {
  counter += 1;
  const at = test.clock.now();
  const row: typeof taxRecords.$inferInsert = {
    id: newId(),
    userId,
    name: 'Budi Santoso',
    address: 'Jl. Melati 1',
    taxType: 'PBB',
    sptNumber: `SPT-${counter}`,
    year: 2025,
    amountSen: 10_000_000,
    status: 'belum_lunas',
    createdAt: at,
    updatedAt: at,
    checkState: checkStateOf({ ...unchecked, ...overrides }),
    ...overrides,
  };
  return test.database.direct.insert(taxRecords).values(row).returning().get();
}
