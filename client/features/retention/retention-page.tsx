import { Alert, Button, Card, Group, List, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconCalendarX, IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber, showDate, showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { useLiveQuery } from '#client/realtime/use-live-query.ts';
import { SaveBar } from '#client/ui/form/save-bar.tsx';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { Retention } from '#shared/api/retention.ts';
import { RETENTION_CHOICES } from '#shared/limits.ts';
import { retentionTexts, termText } from '#shared/texts.ts';
import { retentionQuery } from './api.ts';
import { useStopRetention } from './display/use-stop-retention.ts';
import { RetentionDialog } from './retention-dialog.tsx';
import { losesMore, olderCount, type Terms, termsOf } from './terms.ts';

/** /admin/settings/retention: the time for which messages and unused accounts are kept (docs/requirements.md R-ACCESS-94). */
export function RetentionPage() {
  usePageTitle('Masa Simpan');
  const query = useQuery(retentionQuery);
  // A colleague may have set or stopped it.
  useLiveQuery('notice:new', retentionQuery.queryKey);
  return (
    <>
      <BackHeader
        to={paths.adminSettings}
        title="Masa Simpan"
        description="Berapa lama pesan chat dan akun yang tidak dipakai disimpan sebelum dihapus otomatis."
      />
      <QueryView
        isPage
        query={query}
        failedText="Gagal memuat masa simpan"
        loading={{ text: 'Memuat masa simpan…', rows: 2, height: 200 }}
      >
        {(saved) => (
          <Stack gap="md" maw="46rem">
            <Announcement saved={saved} />
            <TermsForm saved={saved} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}

/** The next or the last deletion, with the button that ends it. */
function Announcement({ saved }: { saved: Retention }) {
  const { stop, busy } = useStopRetention();
  const { notice_id: noticeId, starts_at: startsAt, announced_at: announcedAt, last_run: lastRun } = saved;
  if (noticeId === null || startsAt === null || announcedAt === null) return null;
  const deleted = retentionTexts.deleted({
    messages: saved.messages_months,
    accounts: saved.inactive_accounts_months,
  });
  return (
    <Alert color="orange" variant="light" icon={<IconCalendarX size={20} aria-hidden />}>
      <Stack gap="xs">
        <Text fw={500}>
          {saved.has_started ? `Setiap malam dihapus: ${deleted}.` : `Mulai ${showDate(startsAt)} dihapus: ${deleted}.`}
        </Text>
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          Diatur {saved.announced_by}, {showDateTime(announcedAt)}.
          {saved.has_started ? '' : ' Sampai hari itu semua administrator melihat pengumumannya di setiap halaman.'}
        </Text>
        {lastRun ? (
          <Text fz="sm">
            Terakhir dihapus {showDateTime(lastRun.at)}: {countsText(lastRun)}.
          </Text>
        ) : null}
        <Group>
          <Button variant="default" loading={busy} onClick={() => void stop(noticeId)}>
            Hentikan
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const countsText = ({ messages, accounts }: { messages: number; accounts: number }): string =>
  `${formatNumber(messages)} pesan dan ${formatNumber(accounts)} akun`;

const optionsWith = (stored: number) =>
  [...new Set([0, ...RETENTION_CHOICES, stored])]
    .toSorted((a, b) => a - b)
    .map((months) => ({ value: String(months), label: capitalized(termText(months)) }));
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function TermsForm({ saved }: { saved: Retention }) {
  const stored = termsOf(saved);
  const [typed, setTyped] = useState<Terms | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const terms = typed ?? stored;
  const isUnsaved = terms.messages !== stored.messages || terms.accounts !== stored.accounts;
  useUnsavedWarning(isUnsaved);
  const change = (part: Partial<Terms>) => setTyped({ ...terms, ...part });
  return (
    <>
      <Card component="section" aria-labelledby="masa-simpan">
        <Title order={2} id="masa-simpan" mb="sm">
          Simpan berapa lama?
        </Title>
        <Stack gap="md">
          <NativeSelect
            label="Pesan chat"
            description={messagesText(terms.messages, saved)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={optionsWith(stored.messages)}
            value={String(terms.messages)}
            onChange={({ currentTarget }) => change({ messages: Number(currentTarget.value) })}
          />
          <NativeSelect
            label="Akun warga yang tidak dipakai"
            description={accountsText(terms.accounts, saved)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={optionsWith(stored.accounts)}
            value={String(terms.accounts)}
            onChange={({ currentTarget }) => change({ accounts: Number(currentTarget.value) })}
          />
        </Stack>
      </Card>
      <Facts archiveMonths={saved.archive_months} />
      {isUnsaved ? (
        <SaveBar
          status={losesMore(stored, terms) ? <Text fz="sm">Penghapusan pertama 30 hari sesudah disimpan.</Text> : null}
        >
          <Button variant="default" onClick={() => setTyped(null)}>
            Buang perubahan
          </Button>
          <Button leftSection={<IconDeviceFloppy size={18} aria-hidden />} onClick={() => setIsAsking(true)}>
            Simpan…
          </Button>
        </SaveBar>
      ) : null}
      {isAsking ? (
        <RetentionDialog
          saved={saved}
          terms={terms}
          onClose={() => setIsAsking(false)}
          onSaved={() => {
            setTyped(null);
            setIsAsking(false);
          }}
        />
      ) : null}
    </>
  );
}

function messagesText(months: number, saved: Retention): string {
  if (months === 0) return 'Tidak ada pesan yang dihapus otomatis.';
  return `Pesan yang lebih lama dari ${termText(months)} dihapus bersama foto dan dokumennya. Saat ini ${formatNumber(olderCount(saved, months).messages)} pesan sudah selama itu.`;
}

function accountsText(months: number, saved: Retention): string {
  if (months === 0) return 'Tidak ada akun yang dihapus otomatis.';
  return `Akun yang selama ${termText(months)} tidak masuk, tidak berkirim pesan, dan datanya tidak berubah dihapus bersama data PBB-nya. Saat ini ${formatNumber(olderCount(saved, months).accounts)} akun sudah selama itu.`;
}

function Facts({ archiveMonths }: { archiveMonths: number }) {
  return (
    <Card component="section" aria-labelledby="yang-tetap">
      <Title order={2} id="yang-tetap" mb="sm">
        Yang tetap disimpan
      </Title>
      <List spacing="xs" pr="xs">
        <List.Item>
          Akun administrator, akun yang terhubung dengan objek di daftar kantor, dan akun yang permintaannya masih
          menunggu jawaban.
        </List.Item>
        <List.Item>
          Riwayat perubahan di kantor, tanda terima, catatan internal, dan catatan keamanan selama akunnya ada.
        </List.Item>
        <List.Item>Foto bukti pembayaran di data PBB, juga bila pesan asalnya dihapus.</List.Item>
        <List.Item>
          Cadangan kantor masih memuat yang dihapus sampai cadangannya diganti, paling lama{' '}
          {formatNumber(archiveMonths)} bulan. Salinan berjalan di folder kedua mengikuti dalam satu jam.
        </List.Item>
      </List>
      <Text fz="sm" c="dimmed" mt="sm">
        Penghapusan berjalan pada malam hari, atau siang bila komputer server mati setiap malam. Jam komputer yang salah
        tidak menghapus apa pun.
      </Text>
    </Card>
  );
}
