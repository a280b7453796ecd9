import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { sendFiles, uploadFile } from '#server/testing/chat/attachments.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { openTab } from '#server/testing/sockets.ts';

async function buildChat() {
  const chat = await buildChatApp();
  const ratna = buildAdmin(chat.test);
  const [budi, siti] = [buildTestUser(chat.test, { name: 'Budi' }), buildTestUser(chat.test, { name: 'Siti' })];
  const quote = (from: typeof ratna, to: typeof ratna, replyTo: unknown, clientId: string | null = null) =>
    chat.post(from, { to_user_id: to.id, content: 'Yang ini?', reply_to: replyTo, client_id: clientId });
  return { ...chat, ratna, budi, siti, quote };
}

describe('a message that quotes another', () => {
  it('shows it in short in the answer, the event and the history, to both sides', async () => {
    const { send, quote, history, test, ratna, budi } = await buildChat();
    const tab = await openTab(test, ratna);
    const question = await send(ratna, budi, 'Bukti yang mana?');
    const { status, body } = await quote(budi, ratna, question.id);
    expect(status).toBe(201);
    const quoted = {
      _id: question.id,
      sender_id: ratna.id,
      sender_name: 'Ibu Ratna',
      from_admin: true,
      excerpt: 'Bukti yang mana?',
    };
    expect(body.data).toMatchObject({ reply_to: question.id, quoted });
    await tab.next('message:new');
    expect(await tab.next('message:new')).toEqual(body.data);
    for (const query of ['', '?limit=200', `?around=${question.id}`, `?after=${question.id}`]) {
      const { messages } = await history(budi, ratna.id, query);
      expect([query, messages.at(-1)]).toEqual([query, body.data]);
    }
    expect((await history(ratna, budi.id)).messages[0]).toMatchObject({ reply_to: null, quoted: null });
    // An own message can be quoted too.
    expect((await quote(ratna, budi, question.id)).body.data).toMatchObject({ quoted });
  });

  it('names the files of a message instead of repeating their words', async () => {
    const { test, quote, ratna, budi } = await buildChat();
    const sent = await sendFiles(test, budi, ratna, [await uploadFile(test, budi)]);
    expect((await quote(ratna, budi, sent.id)).body.data).toMatchObject({ quoted: { excerpt: 'Foto · Ini buktinya' } });
  });

  it('cuts a long text after 200 characters, and never in the middle of an emoji', async () => {
    const { send, quote, ratna, budi } = await buildChat();
    const long = await send(ratna, budi, '😀'.repeat(1000));
    expect((await quote(budi, ratna, long.id)).body.data).toMatchObject({ quoted: { excerpt: '😀'.repeat(200) } });
    const exact = await send(ratna, budi, 'a'.repeat(200));
    expect((await quote(budi, ratna, exact.id)).body.data).toMatchObject({ quoted: { excerpt: 'a'.repeat(200) } });
  });

  it('gets 422 for a message of another conversation, an unknown one and a value that is no id', async () => {
    const { send, quote, countStored, ratna, budi, siti } = await buildChat();
    const other = await send(siti, ratna);
    const missing = 'Pesan yang dikutip sudah tidak ada. Hapus kutipannya lalu kirim lagi.';
    for (const replyTo of [other.id, '999999', '0']) {
      for (const [from, to] of [
        [budi, ratna],
        [ratna, budi],
      ] as const) {
        const { status, body } = await quote(from, to, replyTo);
        expect([status, body.message, body.errors]).toEqual([422, missing, { reply_to: [missing] }]);
      }
    }
    expect((await quote(budi, ratna, 'x')).status).toBe(422);
    expect(countStored()).toBe(1);
  });

  it('gets 422 for a message that was deleted with the history', async () => {
    const { send, quote, clear, ratna, budi } = await buildChat();
    const { id } = await send(ratna, budi);
    await clear(ratna, budi.id);
    expect((await quote(budi, ratna, id, 'satu')).status).toBe(422);
    // The same client_id can be sent without the quote.
    expect((await quote(budi, ratna, null, 'satu')).status).toBe(201);
  });

  it('answers a repeat with the message as it was stored, without the quoted one when that is deleted', async () => {
    const { send, quote, clear, ratna, budi } = await buildChat();
    const { id } = await send(ratna, budi, 'Rahasia');
    const first = await quote(budi, ratna, id, 'satu');
    expect(await quote(budi, ratna, id, 'satu')).toMatchObject({ status: 200, body: { data: first.body.data } });
    await clear(ratna, budi.id);
    const { status, body } = await quote(budi, ratna, id, 'satu');
    expect([status, body.data]).toMatchObject([200, { reply_to: id, quoted: null }]);
    expect(JSON.stringify(body)).not.toContain('Rahasia');
  });
});

describe('the messages around one', () => {
  it('number as many before as after it, and say whether there are more', async () => {
    const { send, history, ratna, budi } = await buildChat();
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push((await send(n % 2 === 0 ? budi : ratna, n % 2 === 0 ? ratna : budi)).id);
    const around = async (id: string | undefined, limit: number) => {
      const { messages, has_older, has_newer, total, page } = await history(
        budi,
        ratna.id,
        `?around=${id}&limit=${limit}`,
      );
      expect([total, page]).toEqual([20, 1]);
      return [messages.map((message) => ids.indexOf(message.id)), has_older, has_newer];
    };
    expect(await around(ids[10], 6)).toEqual([[8, 9, 10, 11, 12, 13], true, true]);
    expect(await around(ids[10], 5)).toEqual([[8, 9, 10, 11, 12], true, true]);
    expect(await around(ids[10], 1)).toEqual([[10], true, true]);
    // The other side has more where one side has too few.
    expect(await around(ids[1], 6)).toEqual([[0, 1, 2, 3, 4, 5], false, true]);
    expect(await around(ids[18], 6)).toEqual([[14, 15, 16, 17, 18, 19], true, false]);
    expect(await around(ids[10], 50)).toEqual([ids.map((_id, index) => index), false, false]);
    expect(await around(ids[10], 200)).toEqual([ids.map((_id, index) => index), false, false]);
    expect(await around('9'.repeat(30), 3)).toEqual([[17, 18, 19], true, false]);
    expect(await around('0', 3)).toEqual([[0, 1, 2], false, true]);
  });

  it('come from the nearest place when the message is deleted or of another conversation', async () => {
    const { send, history, clear, ratna, budi, siti } = await buildChat();
    const [first, other, second] = [await send(budi, ratna), await send(siti, ratna), await send(budi, ratna)];
    const ids = async (id: string) => {
      const { messages, has_older, has_newer } = await history(budi, ratna.id, `?around=${id}&limit=1`);
      return [messages.map((message) => message.id), has_older, has_newer];
    };
    expect(await ids(other.id)).toEqual([[first.id], false, true]);
    await clear(ratna, budi.id);
    expect(await ids(second.id)).toEqual([[], false, false]);
    const third = await send(budi, ratna);
    expect(await ids(first.id)).toEqual([[third.id], false, false]);
    // A user reads only the own conversation.
    expect((await history(budi, ratna.id, `?around=${other.id}`)).messages.map(({ id }) => id)).toEqual([third.id]);
    // A value that is no id counts as absent.
    expect(await history(budi, ratna.id, '?around=x')).not.toHaveProperty('has_older');
  });
});
