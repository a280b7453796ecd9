import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconDownload, IconListDetails, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { formatNumber, showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { HandbookLink } from '#client/ui/page/handbook-link.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { batchQuery, canDiscard, isRunning } from '../api.ts';
import { BatchPreview } from './batch-preview.tsx';
import { BatchSummary } from './batch-summary.tsx';
import { stateText } from './batch-texts.ts';
import { useBatchActions } from './use-batch-actions.ts';
import { useLeaveWhenApplied } from './use-leave-when-applied.ts';
import { useLiveBatches } from './use-live-batches.ts';

/** /admin/dhkp/import/:id: one import from the reading of its file to the applied rows. Its address keeps its place. */
export function DhkpBatchPage() {
  usePageTitle('Impor daftar');
  useLiveBatches();
  const { id = '' } = useParams();
  const query = useQuery(batchQuery(id));
  const batch = query.data;
  useLeaveWhenApplied(batch);
  return (
    <>
      <BackHeader
        to={paths.adminDhkpImport}
        title="Impor daftar"
        subject={batch?.file_name}
        description={
          batch
            ? `Tahun pajak ${batch.year} · ${formatBytes(batch.bytes)} · ${batch.by_name}, ${showDateTime(batch.created_at)}`
            : undefined
        }
        actions={batch ? <FileActions batch={batch} /> : undefined}
      />
      <QueryView
        isPage
        query={query}
        failedText="Gagal memuat impor"
        loading={{ text: 'Memuat impor…', rows: 4, height: 90 }}
      >
        {(loaded) => <BatchContent batch={loaded} />}
      </QueryView>
    </>
  );
}

function FileActions({ batch }: { batch: Batch }) {
  const navigate = useNavigate();
  const { download, discard } = useBatchActions();

  async function discardAndLeave(): Promise<void> {
    if (await discard(batch)) await navigate(paths.adminDhkpImport);
  }

  return (
    <>
      {batch.has_file ? (
        <Button
          variant="default"
          px="md"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => void download(batch)}
        >
          Unduh berkas
        </Button>
      ) : null}
      {canDiscard(batch.state) ? (
        <Button
          variant="subtle"
          color="red"
          px="md"
          leftSection={<IconTrash size={18} aria-hidden />}
          onClick={() => void discardAndLeave()}
        >
          Buang
        </Button>
      ) : null}
    </>
  );
}

function BatchContent({ batch }: { batch: Batch }) {
  if (isRunning(batch.state)) return <BatchProgressCard batch={batch} />;
  if (batch.state === 'mapping' || batch.state === 'ready')
    return <BatchPreview key={batch.preview_id} batch={batch} />;
  if (batch.state === 'failed')
    return (
      <Stack gap="md" align="flex-start">
        <FormAlert message={batch.message ?? 'Berkas tidak dapat dibaca'} hint="Daftar objek tidak berubah." />
        <Group>
          <Button component={Link} to={paths.adminDhkpImportOf(batch.year)}>
            Pilih berkas lain
          </Button>
          <HandbookLink chapter="lists" />
        </Group>
      </Stack>
    );
  return (
    <Stack gap="md">
      {batch.state === 'applied' ? null : (
        <FormAlert
          kind="info"
          message="Impor ini sudah dibatalkan. Daftar kembali seperti sebelumnya."
          hint={batch.revert_reason === null ? undefined : `Alasan: ${batch.revert_reason}`}
        />
      )}
      <BatchSummary batch={batch} />
      <Group>
        <Button
          component={Link}
          to={paths.adminDhkpYear(batch.year)}
          leftSection={<IconListDetails size={18} aria-hidden />}
        >
          Buka daftar {batch.year}
        </Button>
      </Group>
    </Stack>
  );
}

function progressText({ state, revert_reason: reason }: Batch): string {
  if (state === 'reading') return 'Membaca berkas…';
  return reason === null ? 'Menerapkan ke daftar…' : 'Mengembalikan daftar…';
}

function BatchProgressCard({ batch }: { batch: Batch }) {
  const { done, total } = batch.progress;
  const percent = total > 0 ? Math.min(100, (100 * done) / total) : null;
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Text component="output" fw={600}>
          {progressText(batch)}
        </Text>
        <Progress
          value={percent ?? 100}
          animated={percent === null}
          size="lg"
          aria-label={`${stateText(batch)}: ${batch.file_name}`}
        />
        <Text fz="sm" c="dimmed" className="tabular">
          {percent === null ? 'Sebentar…' : `${formatNumber(done)} dari ${formatNumber(total)} baris`}
        </Text>
        <Text fz="sm" c="dimmed">
          Anda boleh meninggalkan halaman ini; impornya berjalan terus dan dapat dibuka lagi dari Impor daftar.
        </Text>
      </Stack>
    </Paper>
  );
}
