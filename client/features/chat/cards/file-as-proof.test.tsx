import { screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore, useAtomValue } from 'jotai';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { showDate, showDateShort, today } from '#client/lib/format.ts';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { erasePrivateData } from '#client/lib/session/private-data.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { emptyConversation } from '../state/model/conversation.ts';
import { conversationsAtom } from '../state/selectors.ts';
import { buildAttachment, buildMessage } from '../testing/build-chat-data.ts';
import { runChat } from '../testing/run-chat.ts';
import { FileAsProof } from './file-as-proof.tsx';
import { buildCard } from './testing/build-card.ts';

const newest = buildRecord({ id: recordId(1), year: 2026, address: 'Jl. Melati 1' });
const older = buildRecord({ id: recordId(2), year: 2025, address: 'Jl. Melati 1' });
const paid = buildRecord({ id: recordId(3), year: 2024, status: 'lunas', payment_date: '2024-05-06' });
const photo = buildAttachment();
const fileCall = (id: string, scope = '') => `POST /api${scope}/tax-records/${id}/payment-proof/from-message`;
let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  erasePrivateData({ id: 'u1', email: '' });
  screenWidth.wide = true;
  server = fakeServer();
});

type Options = {
  from?: Partial<Message>;
  records: TaxRecord[];
  above?: Partial<Message>[];
  files?: Attachment[];
  side?: 'user' | 'admin';
};

/** The files of message 90 as the conversation has them. */
function Files() {
  const message = useAtomValue(conversationsAtom)['u1']?.messages.at(-1);
  return message?.attachments.map((file) => <FileAsProof key={file.id} attachment={file} message={message} />);
}

function open({ records, above = [], files = [photo], side = 'user', from = {} }: Options) {
  signIn(side === 'admin' ? { id: 'a1', is_admin: true } : { id: 'u1' });
  server.on('GET /api/tax-records', () => okListAnswer(records));
  server.on('GET /api/admin/tax-records', () => okListAnswer(records));
  const message = buildMessage({ number: 90, attachments: files, from_admin: false, ...from });
  const messages = [...above.map((fields, index) => buildMessage({ number: 50 + index, ...fields })), message];
  const conversations = { u1: { ...emptyConversation, messages, loaded: true } };
  const chat = runChat({ initial: { currentUser: null, conversations }, effects: {}, store: getDefaultStore() });
  onTestFinished(() => chat.stop());
  return renderPage(<Files />);
}
const panel = async () => within(await screen.findByRole('dialog', { name: 'Jadikan bukti pembayaran' }));

it('files a photo as the proof of the only open record, as what its owner says that it is', async () => {
  server.on(fileCall(newest.id), okAnswer({ ...newest, status: 'proses', payment_proof: '/uploads/b.jpg' }));
  const { user } = open({ records: [paid, newest] });
  await user.click(screen.getByRole('button', { name: 'Jadikan bukti' }));
  const dialog = await panel();
  const keep = await dialog.findByLabelText('Simpan fotonya dulu');
  expect(dialog.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)).toEqual([false, false]);
  await user.click(dialog.getByRole('button', { name: 'Simpan' }));
  await dialog.findByText('Pilih dulu: sudah membayar, atau simpan fotonya dulu');
  expect(server.callsOf(fileCall(newest.id))).toEqual([]);
  await user.click(keep);
  await user.click(dialog.getByRole('button', { name: 'Simpan' }));
  await screen.findByText('Bukti tersimpan: PBB 2026 · Jl. Melati 1 · ditandai Proses');
  expect(server.callsOf(fileCall(newest.id)).map(({ body }) => body)).toEqual([
    { attachment_id: 'f1', status: 'proses', updated_at: newest.updated_at },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Bukti PBB 2026' })).toBeTruthy();
});

it('takes the record of the card above, and from an admin the act and the day', async () => {
  server.on(fileCall(older.id, '/admin'), okAnswer({ ...older, status: 'lunas', payment_date: today() }));
  const { user } = open({ records: [newest, older], above: [{ record: buildCard(older) }, {}], side: 'admin' });
  await user.click(screen.getByRole('button', { name: 'Jadikan bukti' }));
  const dialog = await panel();
  expect((await dialog.findByLabelText<HTMLSelectElement>('Data PBB')).value).toBe(older.id);
  expect(dialog.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)).toEqual([false, false, false]);
  await user.keyboard('{Enter}');
  await dialog.findByText('Pilih dulu apa yang dilakukan dengan foto ini');
  await user.click(dialog.getByLabelText('Tandai Lunas dengan tanggal bayar'));
  await user.keyboard('{Enter}');
  await dialog.findByText('Tanggal pembayaran wajib diisi jika status Lunas');
  expect(server.callsOf(fileCall(older.id, '/admin'))).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Hari ini' }));
  dialog.getByLabelText(`Tandai Lunas, dibayar ${showDate(today())}`);
  await user.keyboard('{Enter}');
  await screen.findByText(`Bukti tersimpan: PBB 2025 · Jl. Melati 1 · Lunas, dibayar ${showDateShort(today())}`);
  expect(server.callsOf(fileCall(older.id, '/admin'))[0]?.body).toEqual({
    attachment_id: 'f1',
    status: 'lunas',
    payment_date: today(),
    updated_at: older.updated_at,
  });

  // One press takes back what was said about the payment; the photo stays.
  const BULK = 'POST /api/admin/tax-records/bulk';
  server.on(BULK, okAnswer({ results: [{ id: older.id, changed: true, message: null, updated_at: 'later' }] }));
  await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
  await screen.findByText('Status kembali Belum Lunas. Fotonya tetap tersimpan sebagai bukti.');
  expect(server.callsOf(BULK)[0]?.body).toEqual({
    changes: [{ id: older.id, updated_at: older.updated_at, status: 'belum_lunas', payment_date: null, undo: true }],
  });
});

it('takes the day of the payment from a user who marks the record as paid, by the keyboard', async () => {
  server.on(fileCall(newest.id), okAnswer({ ...newest, status: 'lunas', payment_date: '2025-03-14' }));
  const { user } = open({ records: [newest] });
  await user.click(screen.getByRole('button', { name: 'Jadikan bukti' }));
  const dialog = await panel();
  const paidOption = await dialog.findByLabelText('Saya sudah membayar');
  expect(dialog.queryByLabelText(/^Tanggal bayar/)).toBeNull();
  await user.click(paidOption);
  const field = dialog.getByLabelText<HTMLInputElement>(/^Tanggal bayar/);
  expect(field.value).toBe('');
  await user.type(field, '28/11/2099');
  await user.click(dialog.getByRole('button', { name: 'Simpan' }));
  expect(server.callsOf(fileCall(newest.id))).toEqual([]);
  await user.clear(field);
  await user.type(field, '14/03/2025');
  await user.click(dialog.getByRole('button', { name: 'Simpan' }));
  await screen.findByText(/ · Lunas, dibayar 14 Mar 2025$/);
  expect(server.callsOf(fileCall(newest.id)).map(({ body }) => body)).toMatchObject([
    { status: 'lunas', payment_date: '2025-03-14' },
  ]);
});

it('warns a user before another photo takes the check of the office away', async () => {
  const verification = { state: 'matched', at: null, by_name: 'Sari', reason: null } as const;
  const { user } = open({ records: [{ ...newest, status: 'proses', verification }] });
  await user.click(screen.getByRole('button', { name: 'Jadikan bukti' }));
  expect(await (await panel()).findByText('Kantor sudah memeriksa pembayaran ini.')).toBeTruthy();
});

it('offers a user no button under a photo from the admins, and only shows of which record it is the proof', () => {
  const filed = { ...photo, proof_of: { record_id: newest.id, year: 2026 } };
  open({
    records: [newest],
    from: { from_admin: true, sender_id: 'a1' },
    files: [filed, buildAttachment({ id: 'f2' })],
  });
  expect(screen.getByText('Bukti PBB 2026 (foto 1)')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /bukti/i })).toBeNull();
});

it('asks which record when nobody can know, and keeps all choices after each error', async () => {
  const records = [{ ...newest, payment_proof: '/uploads/alt.jpg' }, older, paid];
  const { user } = open({ records });
  await user.click(screen.getByRole('button', { name: 'Jadikan bukti' }));
  const dialog = await panel();
  const field = await dialog.findByLabelText<HTMLSelectElement>('Data PBB');
  await user.click(dialog.getByRole('button', { name: 'Simpan' }));
  await dialog.findByText('Pilih data PBB', { selector: 'p' });
  await user.selectOptions(field, paid.id);
  expect(dialog.getByText('Data ini berstatus Lunas. Foto hanya disimpan sebagai bukti.')).toBeTruthy();
  await user.selectOptions(field, newest.id);
  expect(dialog.getByText('PBB 2026 sudah punya bukti.')).toBeTruthy();
  await user.click(dialog.getByLabelText('Simpan fotonya dulu'));
  const save = () => user.click(dialog.getByRole('button', { name: 'Ganti bukti' }));

  server.on(fileCall(newest.id), networkError);
  await save();
  await dialog.findByText('Gagal menyimpan bukti');
  server.on(fileCall(newest.id), failAnswer(422, 'penuh', { payment_proof: ['Ruang foto bukti Anda penuh'] }));
  await save();
  await dialog.findByText('Ruang foto bukti Anda penuh');
  server.on(fileCall(newest.id), failAnswer(404, 'Foto tidak ditemukan dalam percakapan'));
  await save();
  await dialog.findByText('Foto tidak ditemukan dalam percakapan');
  const changed = { ...newest, status: 'proses', payment_proof: null, updated_at: '2026-08-03T00:00:00.000Z' } as const;
  records[0] = changed;
  server.on(fileCall(newest.id), failAnswer(409, 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.'));
  await save();
  await dialog.findByText('Yang tersimpan sekarang: Proses. Periksa, lalu simpan lagi.');
  expect(field.value).toBe(newest.id);
  expect(dialog.getByLabelText<HTMLInputElement>('Simpan fotonya dulu').checked).toBe(true);
  server.on(fileCall(newest.id), okAnswer(changed));
  await user.click(dialog.getByRole('button', { name: 'Simpan' }));
  await screen.findByText('Bukti tersimpan: PBB 2026 · Jl. Melati 1 · ditandai Proses');
  expect(server.callsOf(fileCall(newest.id)).at(-1)?.body).toEqual({
    attachment_id: 'f1',
    status: 'proses',
    updated_at: changed.updated_at,
  });
});

it('names the record of each photo, also of several in one message, and moves the mark to a newer proof', async () => {
  const filed = { ...photo, proof_of: { record_id: newest.id, year: 2026 } };
  server.on(fileCall(newest.id), okAnswer({ ...newest, status: 'proses', payment_proof: '/uploads/b.jpg' }));
  const { user } = open({ records: [newest], files: [filed, buildAttachment({ id: 'f2' })] });
  expect(screen.getByRole('button', { name: 'Bukti PBB 2026 (foto 1)' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Jadikan bukti (foto 2)' }));
  await user.click(await (await panel()).findByLabelText('Simpan fotonya dulu'));
  await user.click((await panel()).getByRole('button', { name: 'Simpan' }));
  await screen.findByRole('button', { name: 'Bukti PBB 2026 (foto 2)' });
  expect(screen.getByRole('button', { name: 'Jadikan bukti (foto 1)' })).toBeTruthy();
});

it('says why a WebP cannot be a proof, names the photos of one message, and gives the focus back', async () => {
  const files: Attachment[] = [
    { ...photo, id: 'w1', type: 'image/webp' },
    { ...photo, id: 'w2' },
  ];
  const { user } = open({ records: [newest], files });
  expect(screen.getByRole('button', { name: 'Jadikan bukti (foto 2)' })).toBeTruthy();
  const button = screen.getByRole('button', { name: 'Jadikan bukti (foto 1)' });
  await user.click(button);
  expect((await panel()).getByText(/^Foto WebP tidak bisa menjadi bukti/)).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});
