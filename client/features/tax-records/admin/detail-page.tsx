import { Button, Paper, Title } from '@mantine/core';
import { IconFileOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { HeaderActions } from '#client/ui/page/header-actions.tsx';
import { RecordDetail } from '../display/record-detail.tsx';
import { RecordAudit } from '#client/features/audit/display/record-audit.tsx';
import { RecordSkeleton } from '../display/record-skeleton.tsx';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { isRecordId } from '../display/record-id.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { adminRecordQuery } from './api.ts';
import { OwnerCard } from './owner-card.tsx';
import { useDeleteRecordAsAdmin } from './use-delete-record.tsx';

function Actions({ record }: { record: TaxRecord }) {
  const navigate = useNavigate();
  const { remove } = useDeleteRecordAsAdmin(() => void navigate(paths.adminRecords, { replace: true }));
  return (
    <HeaderActions>
      <Button component={Link} to={paths.adminRecordEdit(record.id)} leftSection={<IconPencil size={18} aria-hidden />}>
        Edit
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

function AuditSection({ id }: { id: string }) {
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="riwayat-perubahan">
      <Title order={2} fz="h3" mb="md" id="riwayat-perubahan">
        Riwayat perubahan
      </Title>
      <RecordAudit path="/admin/tax-records/{id}/history" id={id} />
    </Paper>
  );
}

function RecordNotFound() {
  return (
    <Paper withBorder mb="md">
      <EmptyState
        icon={IconFileOff}
        title="Mungkin sudah dihapus"
        description="Yang pernah terjadi dengannya tetap tercatat di riwayat perubahan."
        action={
          <Button component={Link} to={paths.adminRecords}>
            Kembali ke daftar
          </Button>
        }
      />
    </Paper>
  );
}

/** Specification 2.4, /admin/tax-records/{id}. */
export function AdminRecordDetailPage() {
  const { id } = useParams();
  const isValidId = isRecordId(id);
  const { data, error, refetch } = useQuery({ ...adminRecordQuery(id ?? ''), enabled: isValidId });
  const isMissing = !isValidId || (error instanceof ApiError && error.status === 404);
  const record = isMissing ? undefined : data;
  const title = isMissing ? 'Data Pajak Tidak Ditemukan' : 'Detail Data Pajak';
  usePageTitle(title);

  function retry() {
    focusHeading();
    void refetch();
  }

  return (
    <>
      <BackHeader
        to={paths.adminRecords}
        title={title}
        description={record ? `${record.name} · ${record.spt_number} · Tahun ${record.year}` : undefined}
        actions={record ? <Actions record={record} /> : undefined}
      />
      {isMissing ? <RecordNotFound /> : null}
      {isMissing && isValidId ? <AuditSection id={id} /> : null}
      {record ? (
        <RecordDetail
          record={record}
          onReload={() => void refetch()}
          owner={<OwnerCard owner={record.user} />}
          audit={<AuditSection id={record.id} />}
        />
      ) : null}
      {!record && !isMissing && !error ? <RecordSkeleton /> : null}
      {!record && !isMissing && error ? (
        <Paper withBorder>
          <ErrorState title={messageOf(error, 'Gagal memuat data pajak')} description={hintOf(error)} onRetry={retry} />
        </Paper>
      ) : null}
    </>
  );
}
