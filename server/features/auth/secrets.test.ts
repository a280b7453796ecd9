import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanCode } from '#shared/domain/users/access-codes.ts';
import { buildAdmin, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { activate, enter, makeCardFor, OTHER_PIN, PIN } from '#server/testing/cards.ts';
import { complete, makeCodeFor, NEW_PASSWORD } from '#server/testing/recovery.ts';
import { finish, giveFactor, login, ticketOf, USER_PASSWORD } from '#server/testing/second-factor.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { testServer } from '#server/testing/postgres/test-server.ts';

/** All that the database holds: its bytes, or on PostgreSQL its rows. */
function readStored({ database: { sqlite } }: TestApp): string {
  if (testServer === '') return sqlite.serialize().toString('latin1');
  return sqlite.prepare<[], string>("select schema_to_xml('public', true, true, '')::text").pluck().get() ?? '';
}

/** Every file below a folder, by its path, with its bytes. */
function readFiles(folder: string): { path: string; content: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ path, content: readFileSync(path, 'latin1') }));
}

it('keeps the codes of the office, cards, PINs, second factors and tickets out of logs, audit, own log, events, answers, database and files', async () => {
  const logs: string[] = [];
  const test = await buildTestApp({
    logger: { level: 'trace', stream: { write: (line: string) => void logs.push(line) } },
  });
  const [ratna, budi, siti] = [buildAdmin(test), buildTestUser(test), buildTestUser(test)];
  const tabs = [await openTab(test, ratna), await openTab(test, siti)];
  await test.call('POST', '/api/auth/recovery', { body: { identifier: budi.email } });
  const codes = [
    await makeCodeFor(test, ratna, budi.id, { note: 'di loket' }),
    await makeCodeFor(test, ratna, siti.id),
  ];
  const [used = '', open = ''] = codes;
  expect((await complete(test, used)).status).toBe(200);
  await complete(test, used);
  await complete(test, `${open}2`);
  const card = await makeCardFor(test, ratna, siti.id);
  await enter(test, card);
  const { token } = (await activate(test, card)).body.data;
  const eko = buildTestUser(test, { passwordHash: cheapHash(USER_PASSWORD) });
  const { secret, spareCodes } = await giveFactor(test, eko);
  const tickets = [ticketOf(await login(test, eko)), ticketOf(await login(test, eko))];
  const [usedTicket = '', openTicket = ''] = tickets;
  await finish(test, usedTicket, spareCodes[0] ?? '');
  await finish(test, openTicket, spareCodes[0] ?? '');
  await enter(test, card);
  await enter(test, { code: card.code, pin: OTHER_PIN });
  await test.call('PUT', '/api/auth/user', { token, body: { phone: '0812-3456-7890', pin: PIN } });
  const answers: string[] = [];
  for (const path of [
    'admin/audit',
    'admin/notices',
    'admin/recoveries',
    `admin/users/${budi.id}`,
    `admin/users/${siti.id}`,
    `admin/users/${eko.id}`,
    'auth/security-log',
  ])
    answers.push((await test.call('GET', `/api/${path}`, { token: ratna.token })).raw.toString());
  await waitForPendingEvents(test, ...tabs);
  const places = {
    logs: logs.join(''),
    events: JSON.stringify(tabs.map((tab) => tab.received())),
    answers: answers.join(''),
    database: readStored(test),
    files: JSON.stringify(readFiles(dirname(test.proofsDir))),
  };
  expect(places.logs).toContain('/api/auth/recovery/complete');
  expect(places.logs).toContain('/api/auth/card/activate');
  const shown = [...codes, card.code, card.activation, ...spareCodes];
  const words = [...shown, ...shown.map(cleanCode), NEW_PASSWORD.password, secret, ...tickets];
  // Six digits occur in times and ids too: a PIN is looked for where it stands alone.
  const pins = new RegExp(`(?<![\\dA-Za-z])(?:${PIN}|${OTHER_PIN})(?![\\dA-Za-z])`);
  for (const [place, content] of Object.entries(places)) {
    for (const word of words) expect(content.toUpperCase().includes(word.toUpperCase()), place).toBe(false);
    expect(pins.test(content), place).toBe(false);
  }
});
