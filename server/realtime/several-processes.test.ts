import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { OWN_PASSWORD_TRIES } from '#shared/domain/users/wrong-tries.ts';
import { findTries } from '#server/accounts/wrong-tries-queries.ts';
import { sessions } from '#server/db/schema.ts';
import { uploadFile } from '#server/testing/chat/attachments.ts';
import { chatOf } from '#server/testing/chat/chat-app.ts';
import { createListClient, listText, objectsFrom } from '#server/testing/dhkp.ts';
import { buildAdmin, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { askForExport, readExport } from '#server/testing/own-data.ts';
import { tellProcesses } from '#server/process/processes.ts';
import { buildTwoProcesses, createSettle } from '#server/testing/postgres/several-processes.ts';
import type { TestOverrides } from '#server/testing/test-app.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { SESSIONS_ENDED } from './session-watch.ts';

async function build() {
  const [one, other] = await buildTwoProcesses();
  await expect.poll(() => [one, other].map(({ context }) => context.processes.others())).toEqual([1, 1]);
  return { one, other, user: buildTestUser(one), admin: buildAdmin(one) };
}

/** The first process is five seconds older. */
async function buildWithTimes() {
  const [one, other] = await buildTwoProcesses({}, (first) => first.clock.advance(5000));
  return { one, other };
}

describe('two processes of one office', () => {
  it('choose one leader, and the other one takes over when it ends', async () => {
    const { one, other } = await build();
    expect([one, other].map(({ context }) => context.processes.isLeader())).toEqual([true, false]);
    await one.server.close();
    await expect.poll(() => other.context.processes.isLeader()).toBe(true);
  });

  it('say in their metrics which of them leads, and how many connections are in use', async () => {
    const processes = await buildTwoProcesses({ metricsToken: 'a-token-for-metrics' });
    const [one, other] = processes;
    await expect.poll(() => processes.map(({ context }) => context.processes.others())).toEqual([1, 1]);
    const scrape = async ({ call }: typeof one): Promise<string> =>
      (await call('GET', '/metrics', { token: 'a-token-for-metrics' })).raw.toString();
    expect(await scrape(one)).toMatch(/^pbb_leader 1$/m);
    expect(await scrape(other)).toMatch(/^pbb_leader 0$/m);
    expect(await scrape(other)).toMatch(/^pbb_other_processes 1$/m);
    expect(await scrape(other)).toMatch(/^pbb_database_connections_in_use \d+$/m);
    expect(await scrape(other)).toMatch(/^pbb_database_takes_writes 1$/m);
  });

  it('say that they end, also behind much that they still had to tell', async () => {
    const { one, other } = await build();
    const endings: boolean[] = [];
    other.context.processes.onLeft((_from, isClean) => void endings.push(isClean));
    one.context.processes.tell('test: first', 'x'.repeat(200_000));
    await new Promise((resolve) => setImmediate(resolve));
    for (let index = 0; index < 200; index += 1) one.context.processes.tell('test: more', 'x'.repeat(1000));
    await one.server.close();
    await expect.poll(() => endings).toEqual([true]);
  });

  it('bring a message to everybody, with links that work for the session that gets them', async () => {
    const { one, other, user, admin } = await build();
    const [page, colleague] = [await openTab(other, user), await openTab(other, admin)];
    const file = await uploadFile(one, user);
    const body = { to_user_id: admin.id, content: 'Halo', client_id: 'a', attachment_ids: [file.id] };
    const sent = await one.call('POST', '/api/messages/send', { token: user.token, body });
    expect(sent.status).toBe(201);
    for (const tab of [page, colleague]) {
      const message = await tab.next('message:new');
      const [attachment] = message.attachments ?? [];
      expect(message.content).toBe('Halo');
      expect((await other.call('GET', attachment?.url ?? '')).status).toBe(200);
    }
    expect((await colleague.next('unread')).unread_count).toBe(1);
    // The same call again, at the other process, as after a lost answer.
    expect((await other.call('POST', '/api/messages/send', { token: user.token, body })).status).toBe(200);
  });

  it('store a message once that both get at the same time', async () => {
    const { one, other, user, admin } = await build();
    const body = { to_user_id: admin.id, content: 'Sekali saja', client_id: 'sama' };
    const calls = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : other).call('POST', '/api/messages/send', { token: user.token, body }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
  });

  it('end with the counts and states as they are, although what one tells comes late', async () => {
    const { one, other, user, admin } = await build();
    const colleague = await openTab(other, admin);
    const release = one.holdBack();
    await chatOf(one).send(user, admin);
    await chatOf(other).send(user, admin);
    expect((await colleague.next('unread')).unread_count).toBe(2);
    for (const [process, what] of [
      [one, 'claim'],
      [other, 'release'],
    ] as const) {
      const path = `/api/admin/conversations/${user.id}/${what}`;
      expect((await process.call('POST', path, { token: admin.token, body: {} })).status).toBe(200);
    }
    release();
    await expect.poll(() => colleague.payloadsOf('message:new')).toHaveLength(2);
    await one.context.commitSettled();
    await expect.poll(() => colleague.payloadsOf('conversation:state').length).toBeGreaterThan(1);
    await waitForPendingEvents(other, colleague);
    expect(colleague.payloadsOf('unread').at(-1)?.unread_count).toBe(2);
    expect(colleague.payloadsOf('conversation:state').at(-1)?.claimed_by).toBeNull();
  });

  it('know who is connected to the other, also after it has ended', async () => {
    const { one, other, user, admin } = await build();
    const colleague = await openTab(other, admin);
    const page = await openTab(one, user);
    await expect.poll(() => colleague.payloadsOf('presence')).toContainEqual({ user_id: user.id, online: true });
    expect(page.payloadsOf('presence')).toContainEqual({ admin_online: true });
    expect(other.context.presence.counts()).toEqual({ residents: 1, administrators: 1, sockets: 2 });
    await one.server.close();
    await expect.poll(() => colleague.payloadsOf('presence')).toContainEqual({ user_id: user.id, online: false });
  });

  it('show who types and who reads', async () => {
    const { one, other, user, admin } = await build();
    const second = buildAdmin(one, { name: 'Pak Budi' });
    const [page, colleague] = [await openTab(one, user), await openTab(other, second)];
    const reader = await openTab(one, admin);
    page.socket.emit('typing', { typing: true });
    expect(await colleague.next('typing')).toMatchObject({ user_id: user.id, typing: true });
    reader.socket.emit('viewing', { user_id: user.id });
    colleague.socket.emit('viewing', { user_id: user.id });
    const viewers = [admin, second].map(({ id, name }) => ({ id, name }));
    for (const tab of [reader, colleague]) {
      await expect
        .poll(() =>
          tab
            .payloadsOf('viewing')
            .at(-1)
            ?.viewers.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        )
        .toEqual(viewers.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    }
    reader.close();
    await expect.poll(() => colleague.payloadsOf('viewing').at(-1)?.viewers).toEqual([viewers[1]]);
  });

  it('know everything again after one has missed what the other told', async () => {
    const { one, other, user, admin } = await build();
    const [page, reader] = [await openTab(one, user), await openTab(one, admin)];
    const claimed = buildTestUser(one);
    await chatOf(one).send(claimed, admin);
    reader.socket.emit('viewing', { user_id: user.id });
    await expect.poll(() => other.context.presence.counts().sockets).toBe(2);
    const colleague = await openTab(other, buildAdmin(one, { name: 'Pak Budi' }));
    colleague.socket.emit('viewing', { user_id: user.id });
    await expect.poll(() => colleague.payloadsOf('viewing').at(-1)?.viewers.length).toBe(2);

    const hearAgain = other.deafen();
    page.close();
    reader.close();
    await expect.poll(() => one.context.presence.counts().residents).toBe(0);
    const path = `/api/admin/conversations/${claimed.id}/claim`;
    expect((await one.call('POST', path, { token: admin.token, body: {} })).status).toBe(200);
    expect(other.context.presence.counts()).toEqual({ residents: 1, administrators: 2, sockets: 3 });
    hearAgain();
    expect(await colleague.ended()).toBe('transport close');
    const back = await openTab(other, buildAdmin(one));
    await expect.poll(() => other.context.presence.counts()).toEqual({ residents: 0, administrators: 1, sockets: 1 });
    back.socket.emit('viewing', { user_id: user.id });
    expect((await back.next('viewing')).viewers).toHaveLength(1);
    // The claim of an admin without a connection ends after a minute, also at the process that did not hear of it.
    other.clock.advance(2 * 60_000);
    const [row] = (await chatOf(other).list(admin, '?all=1')).data;
    expect(row).toMatchObject({ other_user: { id: claimed.id }, claimed_by: null });
  });

  it('refuse an ended session at once, and close its sockets', async () => {
    const { one, other, user, admin } = await build();
    const page = await openTab(other, user);
    const ended = await one.call('PUT', `/api/admin/users/${user.id}`, {
      token: admin.token,
      body: { is_active: false },
    });
    expect(ended.status, JSON.stringify(ended.body)).toBe(200);
    expect((await other.call('GET', '/api/auth/user', { token: user.token })).status).toBe(401);
    expect(await page.next('session:ended')).toBeTruthy();
    await page.ended();
  });

  it('close the sockets of a session that a command has ended', async () => {
    const { one, other, user } = await build();
    const page = await openTab(other, user);
    one.database.direct.delete(sessions).where(eq(sessions.id, user.sessionId)).run();
    one.context.processes.tell(SESSIONS_ENDED, null);
    expect(await page.next('session:ended')).toBeTruthy();
  });

  it('hear what a command tells, and do not take it for a process that comes and ends', async () => {
    const { one, other } = await build();
    const heard: string[] = [];
    for (const { context } of [one, other]) {
      context.processes.onJoined(() => void heard.push('joined'));
      context.processes.onLeft(() => void heard.push('left'));
      context.processes.onTakingOver(() => void heard.push('taking over'));
      context.processes.on(SESSIONS_ENDED, () => void heard.push('sessions ended'));
    }
    await tellProcesses(one.openBus, SESSIONS_ENDED, null);
    await createSettle([one, other])();
    expect(heard).toEqual(['sessions ended', 'sessions ended']);
  });

  it('share one operating time, that of the longest use', async () => {
    const { one, other } = await buildWithTimes();
    await expect.poll(() => other.context.operatingNow()).toBe(one.context.operatingNow());
    expect(one.context.operatingNow()).toBe(5000);
  });

  it('count registrations from one address together', async () => {
    const { one, other } = await build();
    let made = 0;
    const register = async (test: typeof one): Promise<number> => {
      const password = 'kata-sandi-warga';
      const email = `w${(made += 1)}@contoh.id`;
      const body = { name: 'Warga', email, password, password_confirmation: password };
      return (await test.call('POST', '/api/auth/register', { body })).status;
    };
    expect(await register(one)).toBe(201);
    for (let index = 1; index < 300; index += 1)
      one.context.processes.tell('limit: registrations', { key: '127.0.0.1', act: 'count' });
    await expect.poll(() => register(other)).toBe(429);
  });

  it('count what asks for a way back in together', async () => {
    const { one, other } = await build();
    const ask = async (test: typeof one): Promise<number> =>
      (await test.call('POST', '/api/auth/recovery', { body: { identifier: 'siti@contoh.id' } })).status;
    const told = new Promise((resolve) => other.context.processes.on('test: asked', resolve));
    for (let time = 0; time < 5; time += 1) expect(await ask(one)).toBe(200);
    one.context.processes.tell('test: asked', null);
    await told;
    expect(await ask(other)).toBe(429);
  });

  it('count wrong tries of one key at the same moment one by one', async () => {
    const { one, other } = await build();
    let waiting = 0;
    let release = (): void => {};
    const bothWait = new Promise<void>((resolve) => (release = resolve));
    const look = async (): Promise<null> => {
      waiting += 1;
      if (waiting === 2) release();
      await bothWait;
      return null;
    };
    const run = ({ context }: typeof one) => context.wrongTries.run('a', OWN_PASSWORD_TRIES, look);
    await Promise.all([run(one), run(other)]);
    const stored = await findTries(one.context.orm, 'a');
    expect(stored?.wrongAt).toHaveLength(2);
  });

  it('let pages load again when one has died', async () => {
    const { one, other, user, admin } = await build();
    const page = await openTab(other, user);
    const colleague = await openTab(one, admin);
    one.mute();
    // An earlier beat may arrive after the time was set.
    await expect
      .poll(() => {
        other.clock.advance(8000);
        return other.context.processes.others();
      })
      .toBe(0);
    expect(await page.ended()).toBe('transport close');
    expect(other.context.presence.isAdminOnline()).toBe(false);
    colleague.close();
  });

  it('go on with an import that one has left, once and to its end', async () => {
    const { one, other, admin } = await build();
    await one.server.listen({ host: '127.0.0.1', port: 0 });
    const { id } = await createListClient(other, admin).preview(listText(objectsFrom(100)));
    // As a process leaves it that ends between two steps.
    one.database.sqlite.prepare("update dhkp_batches set state = 'applying', list_version = 1 where id = ?").run(id);
    await other.server.close();
    const { inState, list } = createListClient(one, admin);
    await inState(id, 'applied');
    expect((await list()).total).toBe(100);
  });

  it('read a list that one was reading when it ended', async () => {
    let readings = 0;
    const listReader: NonNullable<TestOverrides['listReader']> = {
      read: (_source, _choices, signal) => {
        readings += 1;
        if (readings > 1) return Promise.resolve({ ok: false, message: 'read to its end' });
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
      },
    };
    const [one, other] = await buildTwoProcesses({ listReader });
    await expect.poll(() => [one, other].map(({ context }) => context.processes.others())).toEqual([1, 1]);
    await one.server.listen({ host: '127.0.0.1', port: 0 });
    const admin = buildAdmin(one);
    const { id } = await createListClient(other, admin).paste(listText(objectsFrom(100)));
    await expect.poll(() => readings).toBe(1);
    await other.server.close();
    expect(await createListClient(one, admin).inState(id, 'failed')).toMatchObject({ message: 'read to its end' });
    expect(readings).toBe(2);
  });

  it('know which copy of own data another one makes, and that it failed when that one has ended', async () => {
    const begun: string[] = [];
    const startExport: TestOverrides['startExport'] = ({ userId }) => {
      begun.push(userId);
      const { promise, reject } = Promise.withResolvers<number>();
      return { bytes: promise, stop: async () => reject(new Error('stopped')) };
    };
    const [one, other] = await buildTwoProcesses({ startExport });
    await expect.poll(() => [one, other].map(({ context }) => context.processes.others())).toEqual([1, 1]);
    const user = buildTestUser(one, { passwordHash: cheapHash('rahasia-1') });
    const page = await openTab(one, user);
    expect((await askForExport(other, user, 'rahasia-1')).status).toBe(202);
    await expect.poll(() => begun).toEqual([user.id]);
    await expect.poll(async () => (await readExport(one, user)).state).toBe('running');
    expect((await askForExport(one, user, 'rahasia-1')).status).toBe(409);
    await other.server.close();
    await expect.poll(() => page.payloadsOf('export:changed').at(-1)?.state).toBe('failed');
    expect(await readExport(one, user)).toMatchObject({ state: 'failed', percent: null });
  });
});
