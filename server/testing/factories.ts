import { v7 as newId } from 'uuid';
import { sessions, taxRecords, users } from '#server/db/schema.ts';
import { DUMMY_HASH } from '#server/passwords.ts';
import type { TestApp } from './test-app.ts';

export type UserRow = typeof users.$inferSelect;
export type RecordRow = typeof taxRecords.$inferSelect;
export type SignedInUser = UserRow & { token: string; sessionId: string };

let counter = 0;

/** An active user with a session. No password opens the account, because hashing one would be slow. */
export function buildTestUser(test: TestApp, overrides: Partial<UserRow> = {}): SignedInUser {
  counter += 1;
  const at = test.clock.now();
  const user: UserRow = {
    id: newId(),
    name: `Warga ${counter}`,
    email: `warga${counter}@contoh.id`,
    passwordHash: DUMMY_HASH,
    isAdmin: false,
    isActive: true,
    passwordChangedAt: 0,
    adminSince: 0,
    seenNoticeId: 0,
    createdAt: at,
    updatedAt: at,
    ...overrides,
  };
  test.database.orm.insert(users).values(user).run();
  return { ...user, ...buildSession(test, user.id) };
}

/** What opens every account of `buildAdmin`. Its hash is a cheap one, because many tests check it. */
export const ADMIN_PASSWORD = 'rahasia-admin';
const ADMIN_HASH = '$argon2id$v=19$m=64,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$yL0iCTj7CsNBZZy8tcUjMN3mCRraXvgxPBsB8LjqLB4';
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
  test.database.orm
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
    ...overrides,
  };
  return test.database.orm.insert(taxRecords).values(row).returning().get();
}
