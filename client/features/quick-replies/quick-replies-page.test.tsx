import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { quickReplyBody } from '#shared/api/quick-replies.ts';
import { REPLY_VARIABLES, unknownVariables } from '#shared/domain/reply-template.ts';
import { type Call, failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { QuickReplyFields } from './api.ts';
import { previewText } from './example-values.ts';
import { QuickRepliesPage } from './quick-replies-page.tsx';
import { SAMPLE_REPLIES } from './sample-replies.ts';

const LIST = 'GET /api/admin/quick-replies';
const CREATE = 'POST /api/admin/quick-replies';

const buildReply = (fields: Partial<QuickReply> & { shortcut: string }): QuickReply => ({
  id: fields.shortcut,
  _id: fields.shortcut,
  title: `Judul ${fields.shortcut}`,
  content: `Isi ${fields.shortcut}`,
  personal: false,
  updated_at: '2026-08-01T00:00:00.000Z',
  ...fields,
});

let server: ReturnType<typeof fakeServer>;
let stored: QuickReply[];

const create = ({ body }: Call) => {
  const fields = body as QuickReplyFields;
  stored = [...stored, buildReply(fields)];
  return okAnswer(stored.at(-1));
};

beforeEach(() => {
  signIn({ id: 'a1', name: 'Ibu Ratna', is_admin: true });
  server = fakeServer();
  stored = [buildReply({ shortcut: 'alamat' }), buildReply({ shortcut: 'café', personal: true })];
  server.on(LIST, () => okAnswer(stored));
  server.on(CREATE, create);
});

const open = () => renderPage(<QuickRepliesPage />, { path: '/admin/settings/quick-replies' });
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const shortcuts = () => screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

describe('the ten examples', () => {
  it('ships valid samples with known variables and shortcuts of their own', () => {
    expect(SAMPLE_REPLIES).toHaveLength(10);
    expect(new Set(SAMPLE_REPLIES.map(({ shortcut }) => shortcut)).size).toBe(10);
    for (const sample of SAMPLE_REPLIES) {
      expect(quickReplyBody.parse(sample)).toEqual(sample);
      expect(unknownVariables(sample.content)).toEqual([]);
    }
    const all = SAMPLE_REPLIES.map(({ content }) => content).join('');
    expect(REPLY_VARIABLES.filter((name) => !all.includes(`{${name}}`))).toEqual([]);
  });

  it('offers the samples while there is no reply, and goes on after a failure without the existing ones', async () => {
    stored = [];
    const { user } = open();
    let calls = 0;
    server.on(CREATE, (call) => {
      calls += 1;
      return calls === 4 ? networkError() : create(call);
    });
    await user.click(await button('Impor sepuluh balasan contoh'));
    await screen.findByText('Balasan contoh belum semuanya ditambahkan');
    expect(stored).toHaveLength(3);
    await user.click(await button('Lanjutkan impor balasan contoh'));
    await screen.findByText('7 balasan contoh ditambahkan');
    expect(stored.map(({ shortcut }) => shortcut)).toEqual(SAMPLE_REPLIES.map(({ shortcut }) => shortcut));
    expect(screen.queryByRole('button', { name: /balasan contoh/ })).toBeNull();
  });
});

it('lists shared and own replies, and searches them without diacritics', async () => {
  const { user } = open();
  await screen.findByText('/alamat');
  expect(shortcuts()).toEqual(['/alamat', '/café']);
  expect(screen.getByText('Hanya saya')).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), 'CAFE');
  await waitFor(() => expect(shortcuts()).toEqual(['/café']));
});

describe('the form', () => {
  it('stores a new reply with inserted variables, and shows it for an example resident', async () => {
    const { user } = open();
    await user.click(await button('Tambah balasan'));
    await user.type(field('Singkatan'), 'salam');
    await user.type(field('Judul'), 'Salam');
    await user.type(field('Isi balasan'), 'Halo ');
    await user.click(await button('Nama depan warga'));
    expect(field('Isi balasan').value).toBe('Halo {nama_depan}');
    const preview = within(screen.getByRole('region', { name: 'Pratinjau' }));
    expect(preview.getByText('Halo Siti')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Hanya saya' }));
    await user.click(await button('Simpan (Save)'));
    await screen.findByText('Balasan cepat disimpan');
    expect(server.callsOf(CREATE)[0]?.body).toEqual({
      shortcut: 'salam',
      title: 'Salam',
      content: 'Halo {nama_depan}',
      personal: true,
    });
    await waitFor(() => expect(shortcuts()).toContain('/salam'));
  });

  it('keeps its input when saving fails, and says why', async () => {
    const { user } = open();
    await user.click(await button('Tambah balasan'));
    await user.type(field('Singkatan'), 'alamat');
    await user.type(field('Judul'), 'Alamat');
    await user.type(field('Isi balasan'), 'Jalan {{almat}');
    expect(screen.getByText('Tidak dikenal: {almat}')).toBeTruthy();
    const TAKEN = 'Singkatan /alamat sudah dipakai. Pilih singkatan lain.';
    server.on(CREATE, failAnswer(409, TAKEN));
    await user.click(await button('Simpan (Save)'));
    expect((await screen.findAllByText(TAKEN)).length).toBeGreaterThan(0);
    expect(field('Isi balasan').value).toBe('Jalan {almat}');
    server.on(CREATE, networkError);
    await user.type(field('Singkatan'), '2');
    await user.click(await button('Simpan (Save)'));
    await screen.findByText('Balasan cepat gagal disimpan');
    expect(field('Singkatan').value).toBe('alamat2');
  });

  it('refuses incomplete input without a call', async () => {
    const { user } = open();
    await user.click(await button('Tambah balasan'));
    await user.click(await button('Simpan (Save)'));
    await screen.findByText('Singkatan wajib diisi');
    expect(server.callsOf(CREATE)).toHaveLength(0);
  });

  it('shows what a colleague stored meanwhile before it replaces that', async () => {
    const { user } = open();
    const UPDATE = 'PUT /api/admin/quick-replies/alamat';
    await user.click(await button('Ubah /alamat'));
    await user.type(field('Isi balasan'), ' saya');
    const newer = buildReply({ shortcut: 'alamat', content: 'Isi rekan', updated_at: '2026-08-02T00:00:00.000Z' });
    stored = [newer];
    server.on(UPDATE, failAnswer(409, 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.'));
    await user.click(await button('Simpan (Save)'));
    await screen.findByText('Isi yang baru: Isi rekan');
    expect(field('Isi balasan').value).toBe('Isi alamat saya');
    server.on(UPDATE, okAnswer(newer));
    await user.click(await button('Simpan (Save)'));
    await screen.findByText('Balasan cepat disimpan');
    expect(server.callsOf(UPDATE).map(({ body }) => (body as QuickReply).updated_at)).toEqual([
      '2026-08-01T00:00:00.000Z',
      '2026-08-02T00:00:00.000Z',
    ]);
  });
});

it('undoes a deletion, and opens the form with the text when that fails', async () => {
  const { user } = open();
  server.on('DELETE /api/admin/quick-replies/alamat', () => {
    stored = stored.filter(({ id }) => id !== 'alamat');
    return okAnswer({});
  });
  await user.click(await button('Hapus /alamat'));
  await screen.findByText('Balasan /alamat dihapus');
  await waitFor(() => expect(shortcuts()).toEqual(['/café']));
  server.on(CREATE, networkError);
  await user.click(await button('Urungkan (Undo)'));
  await screen.findByText('Balasan cepat gagal dikembalikan');
  expect(field('Isi balasan').value).toBe('Isi alamat');
  server.on(CREATE, create);
  await user.click(await button('Simpan (Save)'));
  await waitFor(() => expect(shortcuts()).toEqual(['/café', '/alamat']));
});

it('leaves prompts in the preview as they are', () => {
  expect(previewText('{nama_depan}, {?nomor NOP}')).toBe('Siti, {?nomor NOP}');
});
