import { useQuery } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { formatRupiah } from '#client/lib/format.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { adminMenuItems } from '../admin-menu-items.ts';
import { statusText } from '#client/features/tax-records/display/verification/verification-text.ts';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';

export type PaletteTarget = {
  key: string;
  to: string;
  title: string;
  text?: string;
  /** The record that the entry marks as paid, instead of going anywhere. */
  markPaid?: TaxRecord;
};
export type PaletteTargetGroup = { name: string; targets: PaletteTarget[] };

const RESULTS_MAX = 5;
/** A search for one letter finds nearly all users. */
const SEARCH_MIN_LENGTH = 2;

/** Stands for the list of keys, which has no address. */
export const SHOW_SHORTCUTS = '?';

const screen = (title: string, to: string, text?: string): PaletteTarget => ({
  key: title,
  to,
  title,
  ...(text ? { text } : {}),
});
/** Descriptions of the menu entries whose names do not say enough. */
const menuTexts: Record<string, string> = {
  [paths.adminInbound]: 'Mencocokkan pembayaran yang dilaporkan warga',
  [paths.adminDhkp]: 'Semua objek menurut kantor pajak, dengan ketetapannya',
  [paths.adminSettings]: 'Notifikasi, cadangan, jangkauan dari luar',
};
const screens: PaletteTarget[] = [
  ...adminMenuItems.map(({ to, label }) => screen(label, to, menuTexts[to])),
  screen('Tunggakan', paths.adminRecordsWhere({ view: 'overdue' })),
  screen('Tambah Data Pajak', paths.adminRecordCreate),
  screen('Cari pesan', paths.adminMessageSearch(''), 'Semua pesan dari semua percakapan'),
  screen('Minta masuk lagi', paths.adminRecoveries, 'Warga yang lupa password dan minta kode'),
  screen('Permintaan hapus akun', paths.adminErasures, 'Warga yang meminta akunnya dihapus'),
  screen('Tambah User', paths.adminUserCreate),
  screen('Export Data Pajak', paths.adminRecords, 'Excel, PDF, atau print; saring dulu datanya'),
  screen('Export Laporan', paths.adminReports, 'Excel atau PDF'),
  screen('Laporan Layanan Chat', paths.adminChatReport, 'Lama tunggu per hari dan per admin'),
  screen('Balasan Cepat', paths.quickReplies, 'Jawaban siap pakai untuk chat'),
  screen('Identitas Kantor', paths.adminOfficeIdentity, 'Nama, alamat, telepon, WhatsApp, dan logo kantor'),
  screen('Jam Layanan', paths.adminOfficeHours, 'Hari dan jam buka, libur, tutup lebih awal'),
  screen('Impor daftar', paths.adminDhkpImport, 'Daftar dari kantor pajak: Excel, OpenDocument, CSV'),
  screen('Hubungkan objek', paths.adminDhkpMatches(), 'Objek dari daftar kantor pajak dengan akun pemiliknya'),
  screen('Permintaan warga', paths.adminClaims(), 'Warga yang meminta objeknya dihubungkan'),
  screen('Pengaturan DHKP', paths.adminDhkpSettings, 'Awalan NOP, batas buku, jatuh tempo, blok'),
  screen('Wilayah', paths.adminAreas, 'Dusun, RW, dan RT'),
  screen('Tahun Pajak Warga', paths.adminTaxYears, 'Tahun SPPT yang dapat diisi warga, data tahun baru'),
  screen('Masa Simpan', paths.adminRetention, 'Menghapus pesan lama dan akun yang tidak dipakai'),
  screen('Pintasan keyboard', SHOW_SHORTCUTS, 'Semua tombol dan halamannya'),
  screen('Akun Saya', paths.adminAccount),
  screen('Area pengguna', paths.dashboard),
];

/** Whether the text contains every typed word, in any order. */
function matchesAllWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** The text after 'chat' or 'chat dengan', as in 'chat budi'; null for another text. */
function chatSearchOf(text: string): string | null {
  return /^chat(?:\s+dengan)?\s+(.+)$/i.exec(text)?.[1] ?? null;
}

/** The text after 'lunas' or 'tandai lunas', as in 'lunas budi'; null for another text. */
function paidSearchOf(text: string): string | null {
  return /^(?:tandai\s+)?lunas\s+(.+)$/i.exec(text)?.[1] ?? null;
}

/** Whether the server found a record by the name of its owner, and by nothing that the record shows itself. */
function isFoundByOwner({ name, address, spt_number, user }: TaxRecord, search: string): boolean {
  const contains = (text: string) => text.toLowerCase().includes(search.toLowerCase());
  return contains(user.name) && ![name, address, spt_number].some(contains);
}

function recordTarget(record: TaxRecord, search: string): PaletteTarget {
  const { id, name, year, user, spt_number, amount, address } = record;
  const facts = [formatSptNumber(spt_number), statusText(record, 'admin'), formatRupiah(amount), address];
  return {
    key: `record-${id}`,
    to: paths.adminRecord(id),
    title: `${name} · ${year}`,
    text: (isFoundByOwner(record, search) ? [`pemilik: ${user.name}`, ...facts] : facts).join(' · '),
  };
}

function paidTarget(record: TaxRecord, search: string): PaletteTarget {
  const target = recordTarget(record, search);
  return { ...target, key: `paid-${record.id}`, title: `Tandai Lunas ${target.title}`, markPaid: record };
}

/**
 * The targets for a typed text.
 * @param search the debounced text, which is sent to the server
 */
export function usePaletteTargets(typed: string, search: string) {
  const chatSearch = chatSearchOf(search);
  const paidSearch = paidSearchOf(search);
  const userSearch = chatSearch ?? search;
  const recordSearch = paidSearch ?? search;
  const findsUsers = paidSearch === null && userSearch.length >= SEARCH_MIN_LENGTH;
  const findsRecords = chatSearch === null && recordSearch.length >= SEARCH_MIN_LENGTH;
  const users = useQuery({
    queryKey: ['users', 'palette', userSearch],
    queryFn: ({ signal }) => api.get('/admin/users', { query: { search: userSearch, limit: RESULTS_MAX }, signal }),
    enabled: findsUsers,
  });
  const records = useQuery({
    queryKey: ['tax-records', 'palette', recordSearch, paidSearch !== null],
    queryFn: ({ signal }) =>
      api.get('/admin/tax-records', {
        query: { search: recordSearch, limit: RESULTS_MAX, ...(paidSearch === null ? {} : { unpaid: 1 as const }) },
        signal,
      }),
    enabled: findsRecords,
  });

  const foundUsers = findsUsers ? (users.data?.data ?? []) : [];
  const foundRecords = findsRecords ? (records.data?.data ?? []) : [];
  const groups: PaletteTargetGroup[] = [
    { name: 'Halaman', targets: screens.filter(({ title }) => matchesAllWords(title, typed)) },
    {
      name: 'Pengguna',
      targets: (chatSearch === null ? foundUsers : []).map(({ id, name, email }) => ({
        key: `user-${id}`,
        to: paths.adminUser(id),
        title: name,
        text: emailText(email),
      })),
    },
    {
      name: 'Chat',
      // Admins have no conversation.
      targets: foundUsers
        .filter(({ is_admin }) => !is_admin)
        .map(({ id, name }) => ({ key: `chat-${id}`, to: paths.adminConversation(id), title: `Chat dengan ${name}` })),
    },
    {
      name: 'Data PBB',
      targets: (paidSearch === null ? foundRecords : []).map((record) => recordTarget(record, recordSearch)),
    },
    {
      name: 'Tandai Lunas',
      targets: foundRecords
        .filter(({ status }) => status !== 'lunas')
        .map((record) => paidTarget(record, recordSearch)),
    },
    {
      name: 'Pesan',
      targets:
        typed.length >= SEARCH_MIN_LENGTH && chatSearchOf(typed) === null && paidSearchOf(typed) === null
          ? [{ key: 'messages', to: paths.adminMessageSearch(typed), title: `Cari pesan “${typed}”` }]
          : [],
    },
  ];
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    loading:
      (findsUsers && users.isPending) ||
      (findsRecords && records.isPending) ||
      (typed.length >= SEARCH_MIN_LENGTH && typed !== search),
    failed: users.isError || records.isError,
  };
}
