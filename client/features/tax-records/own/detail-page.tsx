import { Button, Paper, Title } from '@mantine/core';
import { IconFileOff, IconPencil, IconPrinter, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { ownRecordQuery } from '../api.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { HeaderActions } from '#client/ui/page/header-actions.tsx';
import { Receipt } from './receipt.tsx';
import { RecordDetail } from '../display/record-detail.tsx';
import { RecordAudit } from '#client/features/audit/display/record-audit.tsx';
import { RecordSkeleton } from '../display/record-skeleton.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { isRecordId } from '../display/record-id.ts';
import { useDeleteOwnRecord } from '../pages/use-delete-record.tsx';
import { usePrinting } from '#client/ui/page/use-printing.ts';

function Actions({ record, onPrint }: { record: TaxRecord; onPrint: () => void }) {
  const navigate = useNavigate();
  const { remove } = useDeleteOwnRecord(() => void navigate(paths.records, { replace: true }));
  return (
    <HeaderActions>
      <Button component={Link} to={paths.recordEdit(record.id)} leftSection={<IconPencil size={18} aria-hidden />}>
        Edit
      </Button>
      <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={onPrint}>
        Print Nota
      </Button>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={18} aria-hidden />}
        aria-label="Hapus (Delete)"
        onClick={() => void remove(record)}
      >
        Hapus
      </Button>
    </HeaderActions>
  );
}

function RecordNotFound() {
  return (
    <Paper withBorder>
      <EmptyState
        icon={IconFileOff}
        title="Mungkin sudah dihapus"
        description="Data ini tidak ada, atau bukan milik akun Anda."
        action={
          <Button component={Link} to={paths.records}>
            Kembali ke daftar
          </Button>
        }
      />
    </Paper>
  );
}

function AuditSection({ id }: { id: string }) {
  return (
    <Paper component="section" withBorder p="lg" className="no-print">
      <Title order={2} fz="h3" mb="md">
        Riwayat perubahan
      </Title>
      <RecordAudit path="/tax-records/{id}/history" id={id} />
    </Paper>
  );
}

/** Specification 2.3, /tax-records/{id}. */
export function OwnRecordDetailPage() {
  usePageTitle('Detail PBB');
  const { id } = useParams();
  const isValidId = isRecordId(id);
  const { data, error, refetch } = useQuery({ ...ownRecordQuery(id ?? ''), enabled: isValidId });
  const { hasPrinted, printTimeMs, print } = usePrinting();
  const isMissing = !isValidId || (error instanceof ApiError && error.status === 404);
  const record = isMissing ? undefined : data;

  function retry() {
    focusHeading();
    void refetch();
  }

  return (
    <>
      <div className={hasPrinted ? 'no-print' : undefined}>
        <BackHeader
          to={paths.records}
          title={record?.name ?? (isMissing ? 'Data PBB Tidak Ditemukan' : 'Detail Data PBB')}
          description={record ? `${record.spt_number} · Tahun ${record.year}` : undefined}
          actions={record ? <Actions record={record} onPrint={print} /> : undefined}
        />
        {isMissing ? <RecordNotFound /> : null}
        {record ? (
          <RecordDetail record={record} onReload={() => void refetch()} audit={<AuditSection id={record.id} />} />
        ) : null}
        {!record && !isMissing && !error ? <RecordSkeleton /> : null}
        {!record && !isMissing && error ? (
          <Paper withBorder>
            <ErrorState title={messageOf(error, 'Gagal memuat data PBB')} description={hintOf(error)} onRetry={retry} />
          </Paper>
        ) : null}
      </div>
      {hasPrinted && record ? <Receipt record={record} printTimeMs={printTimeMs} /> : null}
    </>
  );
}
