import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildHistory, buildMessage } from '../testing/build-chat-data.ts';
import { buildUserSummary, conversationPane, messageField, renderInbox } from '../inbox/testing/render-inbox.tsx';
import { okAnswer } from '#client/testing/fake-server.ts';

const question = buildMessage({
  number: 11,
  user_id: 'u1',
  sender_id: 'u1',
  sender_name: 'Warga u1',
  from_admin: false,
  content: 'Berapa tagihan saya?',
});

async function openConversation() {
  const inbox = await renderInbox({
    rows: [buildUserSummary('u1', 11)],
    initialPath: '/admin/chat?user=u1',
    histories: { u1: [question] },
  });
  await within(await screen.findByRole('log')).findByText(question.content);
  inbox.server.on('POST /api/messages/send', ({ body }) => {
    const { content, client_id, reply_to } = body as { content: string; client_id: string; reply_to?: string };
    const { sender_id, sender_name, from_admin } = question;
    const quoted = reply_to ? { _id: reply_to, sender_id, sender_name, from_admin, excerpt: question.content } : null;
    const answer = buildMessage({ number: 12, user_id: 'u1', content, client_id, reply_to: reply_to ?? null, quoted });
    inbox.server.on('GET /api/messages/conversation/u1', ({ query }) => {
      const messages = [question, answer].filter(({ _id }) => Number(_id) > Number(query['after'] ?? 0));
      return okAnswer(buildHistory(messages, { total: 2 }));
    });
    return okAnswer(answer);
  });
  return inbox;
}

const quoteButton = () => conversationPane().getByRole('button', { name: 'Kutip pesan Warga u1' });
const quoteGroup = () => conversationPane().queryByRole('region', { name: 'Pesan yang dikutip' });

beforeEach(() => {
  window.localStorage.clear();
});

describe('quoting a message', () => {
  it('shows it above the field, sends its id, and shows it in the bubble', async () => {
    const { server } = await openConversation();
    await userEvent.click(quoteButton());
    expect(quoteGroup()?.textContent).toContain('Warga u1Berapa tagihan saya?');
    expect(document.activeElement).toBe(messageField());
    await userEvent.keyboard('Rp 50.000{Enter}');
    expect(quoteGroup()).toBeNull();
    expect(server.callsOf('POST /api/messages/send')[0]?.body).toMatchObject({ content: 'Rp 50.000', reply_to: '11' });
    const bubble = (await conversationPane().findByText('Rp 50.000')).closest<HTMLElement>('[data-item]');
    expect(bubble?.textContent).toContain('Berapa tagihan saya?');
    await userEvent.type(messageField(), 'Lagi{Enter}');
    expect(server.callsOf('POST /api/messages/send')[1]?.body).not.toHaveProperty('reply_to');
  });

  it('can be taken back, and is kept with the draft', async () => {
    const { unmount } = await openConversation();
    await userEvent.click(quoteButton());
    await userEvent.type(messageField(), 'Draf');
    unmount();
    await openConversation();
    expect(messageField().value).toBe('Draf');
    expect(quoteGroup()?.textContent).toContain('Berapa tagihan saya?');
    await userEvent.click(conversationPane().getByRole('button', { name: 'Batal mengutip' }));
    expect(quoteGroup()).toBeNull();
    expect(messageField().value).toBe('Draf');
  });

  it('works by keyboard: Enter on the messages, arrows, K', async () => {
    await openConversation();
    const log = screen.getByRole('log');
    act(() => log.focus());
    fireEvent.keyDown(log, { key: 'Enter' });
    const row = quoteButton().closest('[data-message]');
    expect(document.activeElement).toBe(row);
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(log);
    fireEvent.keyDown(log, { key: 'Enter' });
    await userEvent.keyboard('k');
    expect(quoteGroup()).not.toBeNull();
    expect(document.activeElement).toBe(messageField());
    expect(messageField().value).toBe('');
  });
});

it('shows that a quoted message was deleted', async () => {
  await renderInbox({
    rows: [buildUserSummary('u1', 11)],
    initialPath: '/admin/chat?user=u1',
    histories: { u1: [{ ...question, reply_to: '3', quoted: null }] },
  });
  expect(await conversationPane().findByText('Pesan yang dikutip sudah dihapus')).toBeInstanceOf(HTMLElement);
});
