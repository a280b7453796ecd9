import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import type { FirstSteps } from '#shared/api/first-steps.ts';
import { FIRST_STEPS, type FirstStep } from '#shared/domain/office/first-steps.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { ADMIN_PASSWORD, buildAdmin, buildSession, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const URL = '/api/admin/first-steps';
type Caller = { token: string };

const inState = (steps: FirstSteps, state: string): FirstStep[] =>
  steps.filter((step) => step.state === state).map(({ step }) => step);

async function stepsOf(test: TestApp, { token }: Caller): Promise<FirstSteps> {
  const answer = await test.call('GET', URL, { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

const change = (test: TestApp, { token }: Caller, step: string, body: unknown) =>
  test.call('PUT', `${URL}/${step}`, { token, body });

describe('the first steps of an office', () => {
  it('start open in a new office, in their order', async () => {
    const test = await buildTestApp();
    const steps = await stepsOf(test, buildAdmin(test));
    expect(steps).toEqual(FIRST_STEPS.map((step) => ({ step, state: 'open' })));
  });

  it('count as done when the data shows it, whoever did them', async () => {
    const test = await buildTestApp();
    const [ratna, dewi] = [buildAdmin(test), buildAdmin(test)];
    const { token } = ratna;
    test.database.sqlite.prepare("insert into office_identity (id, name, updated_at) values (1, 'Desa A', 1)").run();
    const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, open: null, close: null }));
    const calls = [
      test.call('PUT', '/api/admin/office-hours', { token, body: { days, holidays: [], closed_today: false } }),
      test.call('PUT', '/api/admin/record-settings', { token, body: { user_years: [2025, 2026] } }),
      test.call('POST', '/api/admin/quick-replies', {
        token,
        body: { shortcut: 'a', title: 'A', content: 'Halo', personal: false },
      }),
      change(test, ratna, 'qr_sheet', { state: 'done' }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    for (const admin of [ratna, dewi]) {
      expect(inState(await stepsOf(test, admin), 'open')).toEqual(['second_backup', 'password']);
    }
  });

  it('leave a name of the office that was emptied open', async () => {
    const test = await buildTestApp();
    test.database.sqlite.prepare("insert into office_identity (id, name, updated_at) values (1, '', 1)").run();
    expect(inState(await stepsOf(test, buildAdmin(test)), 'done')).toEqual([]);
  });

  it('know the second folder of the backups, and that it is missing now', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'pbb-steps-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const secondDir = join(dataDir, 'disk-2');
    const test = await buildTestApp({
      backups: {
        paths: { ...dataPathsIn(dataDir), dataDir },
        settings: {
          everyHours: 2,
          keep: { periods: 24, days: 14, months: 12 },
          secondDir,
          runningCopy: false,
        },
        start: () => ({ outcome: Promise.resolve({ result: 'busy' }), stop: async () => undefined }),
      },
    });
    const ratna = buildAdmin(test);
    expect(inState(await stepsOf(test, ratna), 'done')).toEqual([]);
    mkdirSync(secondDir);
    expect(inState(await stepsOf(test, ratna), 'done')).toEqual(['second_backup']);
    const put = await change(test, ratna, 'hours', { state: 'dismissed' });
    expect(inState(put.body.data, 'done')).toEqual(['second_backup']);
    rmSync(secondDir, { recursive: true });
    expect(inState(await stepsOf(test, ratna), 'open')).toContain('second_backup');
  });

  it('leave the second folder out where the operator makes the backups', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'pbb-steps-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const test = await buildTestApp({
      backups: {
        paths: { ...dataPathsIn(dataDir), dataDir },
        settings: { everyHours: 2, keep: { periods: 24, days: 14, months: 12 }, secondDir: null, runningCopy: false },
        start: () => ({ outcome: Promise.resolve({ result: 'busy' }), stop: async () => undefined }),
        outside: join(dataDir, 'status-cadangan.json'),
      },
    });
    const ratna = buildAdmin(test);
    expect(inState(await stepsOf(test, ratna), 'open')).toEqual(FIRST_STEPS.filter((step) => step !== 'second_backup'));
    expect((await change(test, ratna, 'second_backup', { state: 'dismissed' })).status).toBe(404);
  });

  it('ask each admin for an own password until it was changed', async () => {
    const test = await buildTestApp();
    const made = test.clock.now();
    const [ratna, dewi] = [
      buildAdmin(test, { passwordChangedAt: made, createdAt: made }),
      buildAdmin(test, { passwordChangedAt: made, createdAt: made }),
    ];
    test.clock.advance(1000);
    const body = { current_password: ADMIN_PASSWORD, password: 'rahasia-baru', password_confirmation: 'rahasia-baru' };
    const changed = await test.call('PUT', '/api/auth/password', { token: ratna.token, body });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const again = buildSession(test, ratna.id);
    expect(inState(await stepsOf(test, again), 'done')).toEqual(['password']);
    expect(inState(await stepsOf(test, dewi), 'done')).toEqual([]);
    // A password that a colleague has set is one that a colleague knows.
    test.clock.advance(DAY_MS);
    const reset = await test.call('PUT', `/api/admin/users/${ratna.id}/password`, {
      token: dewi.token,
      body: { password: 'dari-rekan-1', current_password: ADMIN_PASSWORD },
    });
    expect(reset.status, JSON.stringify(reset.body)).toBe(200);
    expect(inState(await stepsOf(test, buildSession(test, ratna.id)), 'done')).toEqual([]);
  });

  it('stay open after a quick reply that one admin keeps for herself', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const body = { shortcut: 'a', title: 'A', content: 'Halo', personal: true };
    expect((await test.call('POST', '/api/admin/quick-replies', { token, body })).status).toBeLessThan(300);
    expect(inState(await stepsOf(test, { token }), 'done')).toEqual([]);
  });

  it('can be put away for the office and shown again; the password for the own account only', async () => {
    const test = await buildTestApp();
    const [ratna, dewi] = [buildAdmin(test), buildAdmin(test)];
    for (const step of ['hours', 'password']) {
      const answer = await change(test, ratna, step, { state: 'dismissed' });
      expect([answer.status, answer.body.message]).toEqual([200, 'Langkah pertama berhasil disimpan']);
    }
    expect(inState(await stepsOf(test, ratna), 'dismissed')).toEqual(['hours', 'password']);
    expect(inState(await stepsOf(test, dewi), 'dismissed')).toEqual(['hours']);
    // Twice does no harm.
    for (const _ of [1, 2]) expect((await change(test, dewi, 'hours', { state: 'open' })).status).toBe(200);
    expect(inState(await stepsOf(test, ratna), 'dismissed')).toEqual(['password']);
  });

  it('refuse an unknown step, an unknown state, and a step that only the data can finish', async () => {
    const test = await buildTestApp();
    const ratna = buildAdmin(test);
    const unknown = await change(test, ratna, 'libur', { state: 'dismissed' });
    expect([unknown.status, unknown.body.message]).toEqual([404, 'Langkah tidak ditemukan']);
    for (const body of [{ state: 'later' }, {}, { state: 'done' }]) {
      const answer = await change(test, ratna, 'hours', body);
      expect([answer.status, answer.body.message, answer.body.errors]).toEqual([
        422,
        'Status langkah tidak valid',
        { state: ['Status langkah tidak valid'] },
      ]);
    }
    expect(inState(await stepsOf(test, ratna), 'open')).toEqual([...FIRST_STEPS]);
  });

  it('serve admins only', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    expect((await test.call('GET', URL)).status).toBe(401);
    expect((await test.call('GET', URL, { token: budi.token })).status).toBe(403);
    expect((await test.call('PUT', `${URL}/hours`, { body: { state: 'dismissed' } })).status).toBe(401);
    const refused = await change(test, budi, 'hours', { state: 'dismissed' });
    expect([refused.status, refused.body.message]).toEqual([403, 'Anda tidak memiliki akses']);
    expect(inState(await stepsOf(test, buildAdmin(test)), 'open')).toEqual([...FIRST_STEPS]);
  });
});
