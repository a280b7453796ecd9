import { Button, Paper, Title } from '@mantine/core';
import { IconFileOff, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { HeaderActions } from '#client/ui/page/header-actions.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { RecordDetail } from '../display/record-detail.tsx';
import { RecordSkeleton } from '../display/record-skeleton.tsx';
import { recordPaths, type RecordScope } from '../scope.ts';
import { scopeTexts } from './scope-texts.ts';
import { useDeleteRecord } from './use-delete-record.tsx';
import type { StoredRecord } from './use-stored-record.ts';

/** Draws the audit of a record. client/app passes it in, so that tax-records and audit do not import each other. */
export type RenderAudit = (recordId: string) => ReactNode;

type Props = {
  scope: RecordScope;
  stored: StoredRecord;
  title: string;
  description: string | undefined;
  /** Further buttons, between 'Edit' and 'Hapus'. */
  actions?: ReactNode;
  owner?: ReactNode;
  renderAudit: RenderAudit;
};

/** The page of one record with its audit (R-REC-16, R-REC-23). */
export function RecordDetailPage({ scope, stored, title, description, actions, owner, renderAudit }: Props) {
  const { id, isValidId, isMissing, record, error } = stored;
  return (
    <>
      <BackHeader
        to={recordPaths[scope].list}
        title={title}
        description={description}
        actions={
          record ? (
            <DetailActions scope={scope} record={record}>
              {actions}
            </DetailActions>
          ) : undefined
        }
      />
      {isMissing ? <RecordNotFound scope={scope} /> : null}
      {/* For admins the audit outlives the record. */}
      {isMissing && isValidId && scope === 'admin' ? <AuditSection>{renderAudit(id)}</AuditSection> : null}
      {record ? (
        <RecordDetail
          record={record}
          onReload={stored.reload}
          owner={owner}
          audit={<AuditSection>{renderAudit(record.id)}</AuditSection>}
        />
      ) : null}
      {!record && !isMissing && !error ? <RecordSkeleton /> : null}
      {!record && error ? (
        <Paper withBorder>
          <ErrorState
            title={messageOf(error, scopeTexts[scope].loadFailed)}
            description={hintOf(error)}
            onRetry={stored.retry}
          />
        </Paper>
      ) : null}
    </>
  );
}

type ActionsProps = { scope: RecordScope; record: TaxRecord; children: ReactNode };

function DetailActions({ scope, record, children }: ActionsProps) {
  const navigate = useNavigate();
  const { list, edit } = recordPaths[scope];
  const { remove } = useDeleteRecord(scope, () => void navigate(list, { replace: true }));
  return (
    <HeaderActions>
      <Button component={Link} to={edit(record.id)} leftSection={<IconPencil size={18} aria-hidden />}>
        Edit
      </Button>
      {children}
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

function RecordNotFound({ scope }: { scope: RecordScope }) {
  return (
    <Paper withBorder mb="md">
      <EmptyState
        icon={IconFileOff}
        title="Mungkin sudah dihapus"
        description={scopeTexts[scope].missingDescription}
        action={
          <Button component={Link} to={recordPaths[scope].list}>
            Kembali ke daftar
          </Button>
        }
      />
    </Paper>
  );
}

function AuditSection({ children }: { children: ReactNode }) {
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="riwayat-perubahan">
      <Title order={2} fz="h3" mb="md" id="riwayat-perubahan">
        Riwayat perubahan
      </Title>
      {children}
    </Paper>
  );
}
