import { describe, expect, it } from 'vitest';
import { verifyPassword } from '#server/accounts/passwords.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { storedUsers } from '#server/testing/rows.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { FirstAdminError, createFirstAdmin } from './first-admin.ts';

const adminSettings = { email: 'admin@pbb.local', password: 'rahasia-admin', name: 'Ibu Ratna' };

describe('createFirstAdmin', () => {
  it('creates an active admin from the settings, who can sign in', async () => {
    const test = await buildTestApp();
    expect(await createFirstAdmin(test.context, adminSettings)).toEqual({
      email: adminSettings.email,
      generatedPassword: null,
    });
    const row = storedUsers(test)[0];
    expect(row).toMatchObject({ name: 'Ibu Ratna', email: adminSettings.email, isAdmin: true, isActive: true });
    const answer = await test.call('POST', '/api/auth/login', { body: adminSettings });
    expect(answer).toMatchObject({ status: 200, body: { data: { user: { is_admin: true, role: 'admin' } } } });
  });

  it('generates a different password each time when none is set', async () => {
    const passwords: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const test = await buildTestApp();
      const admin = await createFirstAdmin(test.context, { ...adminSettings, password: null });
      passwords.push(admin?.generatedPassword ?? '');
      const hash = storedUsers(test)[0]?.passwordHash ?? '';
      expect(await verifyPassword(passwords.at(-1) ?? '', hash)).toBe(true);
    }
    expect(passwords[0]).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect(passwords[0]).not.toBe(passwords[1]);
  });

  it('creates no second admin, even if the existing one is inactive', async () => {
    const test = await buildTestApp();
    buildAdmin(test, { email: 'lama@contoh.id', isActive: false });
    expect(await createFirstAdmin(test.context, adminSettings)).toBeNull();
    expect(storedUsers(test)).toHaveLength(1);
  });

  it('creates one admin when two processes start at the same time on an empty database', async () => {
    const test = await buildTestApp();
    const start = () => createFirstAdmin(test.context, { ...adminSettings, password: null });
    const made = (await Promise.all([start(), start()])).filter((admin) => admin !== null);
    expect(made).toHaveLength(1);
    expect(storedUsers(test)).toHaveLength(1);
    expect(await verifyPassword(made[0]?.generatedPassword ?? '', storedUsers(test)[0]?.passwordHash ?? '')).toBe(true);
  });

  it('refuses the e-mail address of a user, because a setting must not promote an account', async () => {
    const test = await buildTestApp();
    buildTestUser(test, { email: adminSettings.email });
    const attempt = createFirstAdmin(test.context, adminSettings);
    await expect(attempt).rejects.toThrow(FirstAdminError);
    await expect(attempt).rejects.toThrow(/^ADMIN_EMAIL: "admin@pbb.local" .*; yang diterima: .*$/);
    expect(storedUsers(test)[0]?.isAdmin).toBe(false);
  });
});
