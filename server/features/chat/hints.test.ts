import { describe, expect, it } from 'vitest';
import { HINTS_MAX, HINTS_WINDOW_MS } from '#shared/limits.ts';
import { buildAdmin, buildPerson } from '#server/testing/factories.ts';
import { openTab, settle } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

async function openOffice() {
  const test = await buildTestApp();
  const people = {
    ratna: buildAdmin(test, { name: 'Ratna' }),
    dewi: buildAdmin(test, { name: 'Dewi' }),
    budi: buildPerson(test, { name: 'Budi' }),
    siti: buildPerson(test, { name: 'Siti' }),
  };
  const tabs = {
    ratna: await openTab(test, people.ratna),
    ratna2: await openTab(test, people.ratna),
    dewi: await openTab(test, people.dewi),
    budi: await openTab(test, people.budi),
    budi2: await openTab(test, people.budi),
    siti: await openTab(test, people.siti),
  };
  const quiet = async () => settle(test, ...Object.values(tabs));
  const forget = async () => {
    await quiet();
    for (const tab of Object.values(tabs)) tab.forget();
  };
  await forget();
  const heard = () => Object.fromEntries(Object.entries(tabs).map(([name, tab]) => [name, tab.heard()]));
  return { test, ...people, tabs, quiet, forget, heard };
}

const silence = { ratna: [], ratna2: [], dewi: [], budi: [], budi2: [], siti: [] };

describe('typing', () => {
  it('goes from a resident to every administrator, and not to their own other tab', async () => {
    const { budi, tabs, quiet, heard } = await openOffice();
    tabs.budi.socket.emit('typing', { typing: true });
    await quiet();
    const payload = { user_id: budi.id, sender_id: budi.id, name: 'Budi', typing: true };
    const once = [{ event: 'typing', payload }];
    expect(heard()).toEqual({ ...silence, ratna: once, ratna2: once, dewi: once });
  });

  it('goes from an administrator to the resident and the other administrators', async () => {
    const { budi, ratna, tabs, quiet, heard } = await openOffice();
    tabs.ratna.socket.emit('typing', { user_id: budi.id, typing: false });
    await quiet();
    const payload = { user_id: budi.id, sender_id: ratna.id, name: 'Ratna', typing: false };
    const once = [{ event: 'typing', payload }];
    expect(heard()).toEqual({ ...silence, budi: once, budi2: once, dewi: once });
  });

  it('of a resident who names somebody else is about their own conversation', async () => {
    const { siti, budi, tabs, quiet, heard } = await openOffice();
    tabs.siti.socket.emit('typing', { user_id: budi.id, typing: true });
    await quiet();
    const payload = { user_id: siti.id, sender_id: siti.id, name: 'Siti', typing: true };
    const once = [{ event: 'typing', payload }];
    expect(heard()).toEqual({ ...silence, ratna: once, ratna2: once, dewi: once });
  });

  it('of an administrator to nobody, to an unknown account or to an administrator reaches no one', async () => {
    const { dewi, tabs, quiet, heard } = await openOffice();
    const { socket } = tabs.ratna;
    socket.emit('typing', { typing: true });
    for (const user_id of ['tidak-ada', dewi.id, '__proto__', 'admins', `user:${dewi.id}`]) {
      socket.emit('typing', { user_id, typing: true });
    }
    await quiet();
    expect(heard()).toEqual(silence);
  });

  it('is stored nowhere', async () => {
    const { test, tabs, quiet } = await openOffice();
    const changes = () => test.database.sqlite.prepare('select total_changes()').pluck().get();
    const before = changes();
    tabs.budi.socket.emit('typing', { typing: true });
    await quiet();
    expect(changes()).toBe(before);
  });

  it('carries the name as it is now', async () => {
    const { test, budi, tabs } = await openOffice();
    test.database.sqlite.prepare('update users set name = ? where id = ?').run('Pak Budi', budi.id);
    tabs.budi.socket.emit('typing', { typing: true });
    expect(await tabs.dewi.next('typing')).toMatchObject({ name: 'Pak Budi' });
  });
});

describe('viewing', () => {
  it('shows all administrators who looks at a conversation, each once, until their last look ends', async () => {
    const { budi, siti, ratna, dewi, tabs, quiet, forget, heard } = await openOffice();
    const viewing = (user_id: string, ...viewers: { id: string; name: string }[]) => ({
      event: 'viewing',
      payload: { user_id, viewers: viewers.map(({ id, name }) => ({ id, name })) },
    });
    const toOffice = (...events: unknown[]) => ({ ...silence, ratna: events, ratna2: events, dewi: events });

    tabs.ratna.socket.emit('viewing', { user_id: budi.id });
    await quiet();
    expect(heard()).toEqual(toOffice(viewing(budi.id, ratna)));
    await forget();
    tabs.ratna2.socket.emit('viewing', { user_id: budi.id });
    await quiet();
    expect(heard()).toEqual(toOffice(viewing(budi.id, ratna)));
    await forget();
    tabs.dewi.socket.emit('viewing', { user_id: budi.id });
    await quiet();
    expect(heard()).toEqual(toOffice(viewing(budi.id, ratna, dewi)));
    await forget();
    tabs.ratna.socket.emit('viewing', { user_id: siti.id });
    await quiet();
    expect(heard()).toEqual(toOffice(viewing(budi.id, ratna, dewi), viewing(siti.id, ratna)));
    await forget();
    tabs.dewi.socket.emit('viewing', { user_id: null });
    await quiet();
    expect(heard()).toEqual(toOffice(viewing(budi.id, ratna)));
    await forget();
    tabs.ratna2.close();
    expect(await tabs.dewi.next('viewing')).toEqual({ user_id: budi.id, viewers: [] });
  });

  it('is for administrators only', async () => {
    const { budi, siti, tabs, quiet, heard } = await openOffice();
    tabs.siti.socket.emit('viewing', { user_id: budi.id });
    tabs.siti.socket.emit('viewing', { user_id: siti.id });
    await quiet();
    expect(heard()).toEqual(silence);
  });

  it('of an unknown account or an administrator is looking at nothing', async () => {
    const { budi, dewi, tabs, quiet, forget, heard } = await openOffice();
    tabs.ratna.socket.emit('viewing', { user_id: 'tidak-ada' });
    tabs.ratna.socket.emit('viewing', { user_id: dewi.id });
    await quiet();
    expect(heard()).toEqual(silence);
    tabs.ratna.socket.emit('viewing', { user_id: budi.id });
    await forget();
    tabs.ratna.socket.emit('viewing', { user_id: 'tidak-ada' });
    await quiet();
    expect(tabs.dewi.all('viewing')).toEqual([{ user_id: budi.id, viewers: [] }]);
  });
});

describe('a flood of hints', () => {
  it('costs its socket the rest of the window, in silence', async () => {
    const { test, tabs, quiet, forget } = await openOffice();
    for (let sent = 0; sent < 3000; sent += 1) tabs.budi.socket.emit('typing', { typing: true });
    await quiet();
    expect(tabs.dewi.all('typing')).toHaveLength(HINTS_MAX);
    expect(tabs.budi.socket.connected).toBe(true);
    tabs.siti.socket.emit('typing', { typing: true });
    await quiet();
    expect(tabs.dewi.all('typing')).toHaveLength(HINTS_MAX + 1);
    await forget();
    test.clock.advance(HINTS_WINDOW_MS);
    tabs.budi.socket.emit('typing', { typing: false });
    await quiet();
    expect(tabs.dewi.all('typing')).toHaveLength(1);
  });

  it('from many tabs of one account is no bigger than from a few', async () => {
    const { test, budi, tabs } = await openOffice();
    const more = await Promise.all(Array.from({ length: 8 }, async () => openTab(test, budi)));
    tabs.dewi.forget();
    for (const { socket } of more) {
      for (let sent = 0; sent < HINTS_MAX; sent += 1) socket.emit('typing', { typing: true });
    }
    await settle(test, ...more, tabs.dewi);
    expect(tabs.dewi.all('typing')).toHaveLength(4 * HINTS_MAX);
  });
});
