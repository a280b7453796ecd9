import { cleanup, screen, within } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RecordCardView } from '#client/features/chat/cards/record-card.tsx';
import { buildCard } from '#client/features/chat/cards/testing/build-card.ts';
import { NewestRecords } from '#client/features/dashboard/admin/newest-records.tsx';
import { UserDashboardPage } from '#client/features/dashboard/user/dashboard-page.tsx';
import { AdminRecordListPage } from '#client/features/tax-records/admin/list/list-page.tsx';
import { RecordDetail } from '#client/features/tax-records/pages/record-detail.tsx';
import { recordExport } from '#client/features/tax-records/export/record-document.ts';
import { RecordPrintTable } from '#client/features/tax-records/export/record-print-list.tsx';
import { OwnRecordListPage } from '#client/features/tax-records/own/list/list-page.tsx';
import { Receipt } from '#client/features/tax-records/own/receipt.tsx';
import type { RecordPage } from '#client/features/tax-records/api.ts';
import type { RecordScope } from '#client/features/tax-records/scope.ts';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { buildChecked } from '#client/testing/build-sums.ts';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { checkedPartOf } from '#shared/domain/tax-records/checked-sums.ts';
import { RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { statusLabels } from '#shared/labels.ts';
import paymentWords from '../../docs/payment-words.md?raw';

/** Replaces the document's placeholders for the name of the admin, the day of the check and the reason. */
const filled = (text: string) =>
  text.replace('{name}', 'Sari').replace('{date}', '3 Agu 2026').replace('{reason}', 'Foto buram');

const cases = RECORD_STATUSES.flatMap((status) => VERIFICATION_STATES.map((state) => ({ status, state })));
const keyOf = ({ status, state }: { status: string; state: string }) => `${status} ${state}`;

const records = cases.map(({ status, state }, index) =>
  buildRecord({
    id: recordId(500 + index),
    spt_number: keyOf({ status, state }),
    status,
    payment_date: status === 'lunas' ? '2026-08-01' : null,
    verification: {
      state,
      at: state === 'none' ? null : '2026-08-03T03:00:00.000Z',
      by_name: ['matched', 'rejected', 'outdated'].includes(state) ? 'Sari' : null,
      reason: state === 'rejected' ? 'Foto buram' : null,
    },
  }),
);

/** The table below a heading: for each status and state what each column says. */
function readTable(heading: string): Map<string, Record<string, string>> {
  const [, section = ''] = paymentWords.split(`## ${heading}\n`);
  const rows = section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
  const [head = [], , ...body] = rows ?? [];
  return new Map(
    body.map(([status = '', state = '', ...cells]) => [
      keyOf({ status, state }),
      Object.fromEntries(cells.map((cell, index) => [head[index + 2] ?? '', filled(cell)])),
    ]),
  );
}

const normalized = (text: string | null | undefined) => (text ?? '').replaceAll('\u00A0', ' ').trim();
const statusTexts = Object.values<string>(statusLabels);

/** The status and the words about the check that a place shows. */
function readState(place: Element | null): string {
  if (!place) throw new Error('the place is missing');
  const status = [...place.querySelectorAll('span, strong')].map((element) => element.textContent);
  const mark = place.querySelector('[data-verification]');
  // Beside the one word for the eye stand more for a screen reader.
  const words = mark?.querySelector('span[aria-hidden]') ?? mark;
  return [status.find((text) => statusTexts.includes(text)), words?.textContent].filter(Boolean).join(' · ');
}

/** No place congratulates anybody on what the office does not know. */
function expectNoClaim(record: TaxRecord, text: string): void {
  if (['none', 'matched'].includes(record.verification.state)) return;
  expect(text).not.toMatch(/sudah lunas/i);
  expect(text).not.toContain('[LUNAS]');
}

type Places = Record<string, (record: TaxRecord) => string | Promise<string>>;

const listPage = (rows: readonly TaxRecord[]) =>
  okAnswer({
    data: rows,
    total: rows.length,
    per_page: 25,
    current_page: 1,
    last_page: 1,
    total_amount: 0,
    estimated: { count: 0, amount: 0 },
  });
const rowOf = async ({ spt_number }: TaxRecord) =>
  (await screen.findAllByText(spt_number, { exact: false }))[0]?.closest('tr, li') ?? null;

async function readListRow(scope: RecordScope, record: TaxRecord, isWide: boolean): Promise<string> {
  screenWidth.wide = isWide;
  const List = scope === 'own' ? OwnRecordListPage : AdminRecordListPage;
  renderPage(<List />);
  return readState(await rowOf(record));
}

function readPage(scope: RecordScope, record: TaxRecord): string {
  const { container } = renderPage(<RecordDetail record={record} scope={scope} onReload={() => undefined} />);
  return readState(container);
}

async function readCard(record: TaxRecord): Promise<string> {
  renderPage(<RecordCardView card={buildCard(record)} message={{ user_id: 'u1' }} />);
  return readState(await screen.findByRole('region', { name: /^Data PBB/ }));
}

function readPrintedRow(record: TaxRecord, withOwner: boolean): string {
  renderPage(<RecordPrintTable records={[record]} withOwner={withOwner} />);
  const cell = [...document.querySelectorAll('td')].find(({ textContent }) =>
    statusTexts.some((text) => textContent.startsWith(text)),
  );
  return [...(cell?.childNodes ?? [])]
    .map(({ textContent }) => textContent)
    .filter(Boolean)
    .join(' · ');
}

async function readFirstScreen(record: TaxRecord): Promise<string> {
  renderPage(<UserDashboardPage />);
  const activity = (await screen.findByText(new RegExp(record.spt_number))).closest('li');
  // The newest records say what the list says.
  expect(readState(activity)).toBe(
    filled(readTable('What its owner reads').get(record.spt_number)?.['list row'] ?? ''),
  );
  await screen.findByRole('region', { name: 'Tagihan' });
  const lines = ['Bukti ditolak', 'Tagihan'].map((name) => screen.queryByRole('region', { name })?.textContent);
  return lines
    .filter(Boolean)
    .map((line) => normalized(line).replace(/\s*Lihat$/, ''))
    .join(' + ');
}

function readReceipt(record: TaxRecord): string {
  renderPage(<Receipt record={record} printTimeMs={0} />);
  const paper = screen.getByText('NOTA PBB').closest('div');
  if (!paper) throw new Error('no receipt');
  const stamp = paper.querySelector('[data-stamp]');
  const isFramed = stamp?.getAttribute('data-stamp') === 'framed';
  const cellOf = (label: string) =>
    within(paper).queryByText(label, { selector: 'th' })?.nextElementSibling?.textContent;
  return [
    isFramed ? `[${stamp?.textContent}]` : stamp?.textContent,
    cellOf('Status'),
    cellOf('Pemeriksaan kantor'),
    within(paper).queryByText('Petugas') && 'Petugas',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The newest record on the admins' dashboard. */
function Newest({ record }: { record: TaxRecord }) {
  const data: RecordPage = { data: [record], total: 1, per_page: 6, current_page: 1, last_page: 1 };
  return <NewestRecords query={useQuery({ queryKey: ['newest'], queryFn: () => data, initialData: data })} />;
}

function readExport(kind: 'xlsx' | 'pdf', record: TaxRecord): string {
  const file = recordExport(kind);
  const [row = []] = file.addRecords([record]);
  const [section] = file.finish({ details: [], fileNamePart: '' }, 'Ratna', 0).sections;
  return ['Status', kind === 'pdf' ? 'Cocok' : 'Pencocokan']
    .map((header) => row[section?.columns.findIndex((column) => column.header === header) ?? -1])
    .filter((cell) => typeof cell === 'string')
    .join(' · ');
}

const placesOfOwner: Places = {
  'list row': (record) => readListRow('own', record, true),
  'list row, phone': (record) => readListRow('own', record, false),
  page: (record) => readPage('own', record),
  'card in the chat': readCard,
  'first screen': readFirstScreen,
  receipt: readReceipt,
  'printed list': (record) => readPrintedRow(record, false),
};
const placesOfOffice: Places = {
  'list row': (record) => readListRow('admin', record, true),
  'list row, phone': (record) => readListRow('admin', record, false),
  page: (record) => readPage('admin', record),
  'card in the chat': readCard,
  'first screen': (record) => {
    renderPage(<Newest record={record} />);
    return readState(screen.getByRole('listitem'));
  },
  'printed list': (record) => readPrintedRow(record, true),
  Excel: (record) => readExport('xlsx', record),
  PDF: (record) => readExport('pdf', record),
};

vi.mock('#client/realtime/socket.ts', async () => {
  const { fakeSocket } = await import('#client/realtime/testing/fake-socket.ts');
  return { openRealtimeConnection: () => fakeSocket().connection };
});

function serve(record: TaxRecord): void {
  const server = fakeServer();
  const isPaid = record.status === 'lunas';
  const sum = { count: 1, amount: record.amount };
  const isRejected = record.verification.state === 'rejected';
  server.on('GET /api/tax-records', listPage([record]));
  server.on('GET /api/admin/tax-records', listPage([record]));
  for (const scope of ['', '/admin']) server.on(`GET /api${scope}/tax-records/${record.id}`, okAnswer(record));
  server.on('GET /api/admin/statistics', okAnswer({ by_year: [], by_property: [], tasks: {} }));
  server.on('GET /api/admin/users', listPage([]));
  server.on('GET /api/tax-records/check-year', okAnswer({ autoCreated: false, count: 0 }));
  server.on(
    'GET /api/tax-records/statistics',
    okAnswer({
      total_records: 1,
      paid_records: isPaid ? 1 : 0,
      unpaid_records: isPaid ? 0 : 1,
      outstanding_records: 0,
      outstanding_estimated: { count: 0, amount: 0 },
      due_soon: { records: 0, amount: 0, due_date: null, record_id: null },
      checked: isPaid
        ? buildChecked(1, sum.amount, { [checkedPartOf(record.verification.state)]: sum })
        : buildChecked(0, 0),
      rejected_records: isRejected ? 1 : 0,
      rejected_record_id: isRejected ? record.id : null,
    }),
  );
}

describe.each([
  ['What its owner reads', placesOfOwner, false],
  ['What the office reads', placesOfOffice, true],
] as const)('%s', (heading, places, isAdmin) => {
  const table = readTable(heading);
  beforeEach(() => signIn({ is_admin: isAdmin }));

  it('covers each status, each state and each place', () => {
    expect([...table.keys()]).toEqual(cases.map(keyOf));
    for (const row of table.values()) expect(Object.keys(row)).toEqual(Object.keys(places));
  });

  it.each(records.map((record) => [record.spt_number, record] as const))('%s', async (key, record) => {
    serve(record);
    const said: Record<string, string> = {};
    for (const [place, read] of Object.entries(places)) {
      said[place] = await read(record);
      expectNoClaim(record, normalized(document.body.textContent));
      expectNoClaim(record, said[place]);
      cleanup();
    }
    expect(said).toEqual(table.get(key));
  });
});
