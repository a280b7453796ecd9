import { Button, Group, Paper, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconDots, IconFileOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { ButtonRow, HeaderActions } from '#client/ui/page/header-actions.tsx';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { RecordDetail } from './record-detail.tsx';
import { recordPaths, type RecordScope } from '../scope.ts';
import { RecordMenu } from './record-menu.tsx';
import classes from './record-detail-page.module.css';
import { scopeTexts } from './scope-texts.ts';
import { useDeleteRecord } from './use-delete-record.tsx';
import type { StoredRecord } from './use-stored-record.ts';

export const PHONE_BELOW_EM = 36;

/** Draws the audit of a record. client/app passes it in, so that tax-records and audit do not import each other. */
export type RenderAudit = (recordId: string) => ReactNode;

type Props = {
  scope: RecordScope;
  stored: StoredRecord;
  title: string;
  /** The record's own name, where the title says only what the page is. */
  subject?: string | undefined;
  description: string | undefined;
  /** The act that matters most, before 'Edit', which is then no longer the filled button. */
  primaryAction?: ReactNode;
  /** Further buttons, after 'Edit'. */
  actions?: ReactNode;
  /** Above the record: what its reader has to do. */
  notice?: ReactNode;
  /** Whether the acts on the status come before all other buttons. */
  isPayFirst?: boolean;
  statusAction?: ReactNode;
  proofAction?: ReactNode;
  owner?: ReactNode;
  renderAudit: RenderAudit;
};

/** The page of one record with its audit (R-REC-16, R-REC-23). */
export function RecordDetailPage(props: Props) {
  const {
    scope,
    stored,
    title,
    subject,
    description,
    primaryAction,
    actions,
    notice,
    statusAction,
    proofAction,
    owner,
  } = props;
  const { renderAudit, isPayFirst = false } = props;
  const { id, isValidId, isMissing, record } = stored;
  const detailActions = record ? (
    <DetailActions scope={scope} record={record} primaryAction={primaryAction}>
      {actions}
    </DetailActions>
  ) : undefined;
  return (
    <>
      <BackHeader
        to={recordPaths[scope].list}
        title={title}
        subject={subject}
        description={description}
        actions={isPayFirst ? undefined : detailActions}
      />
      {isMissing ? <RecordNotFound scope={scope} /> : null}
      {/* For admins the audit outlives the record. */}
      {isMissing && isValidId && scope === 'admin' ? <AuditSection renderAudit={() => renderAudit(id)} /> : null}
      {notice}
      {isMissing ? null : (
        <QueryView
          isPage
          query={stored.query}
          failedText={scopeTexts[scope].loadFailed}
          loading={{ text: 'Memuat data PBB…', rows: 3, height: 190 }}
        >
          {(loaded) => (
            <>
              <RecordDetail
                record={loaded}
                scope={scope}
                onReload={stored.reload}
                statusAction={statusAction}
                moreActions={isPayFirst ? detailActions : undefined}
                proofAction={proofAction}
                owner={owner}
                audit={<AuditSection isFoldable={scope === 'own'} renderAudit={() => renderAudit(loaded.id)} />}
              />
              {/* Far from the buttons that a thumb presses often. */}
              {scope === 'own' ? (
                <Group justify="flex-end" mt="md" className="no-print">
                  <DeleteButton scope={scope} record={loaded} />
                </Group>
              ) : null}
            </>
          )}
        </QueryView>
      )}
    </>
  );
}

type ActionsProps = { scope: RecordScope; record: TaxRecord; primaryAction: ReactNode; children: ReactNode };

function DetailActions({ scope, record, primaryAction, children }: ActionsProps) {
  const { edit } = recordPaths[scope];
  const isPhone = !useWideScreen(PHONE_BELOW_EM);
  // On the user's page the acts that matter more stand beside the status and the proof.
  const Row = scope === 'own' ? ButtonRow : HeaderActions;
  return (
    <Row>
      {primaryAction}
      <Button
        component={Link}
        to={edit(record.id)}
        px="sm"
        variant={primaryAction || scope === 'own' ? 'default' : 'filled'}
        leftSection={<IconPencil size={18} aria-hidden />}
      >
        Edit
      </Button>
      {children}
      {scope === 'own' ? null : isPhone ? (
        <DeleteMenu scope={scope} record={record} />
      ) : (
        <DeleteButton scope={scope} record={record} />
      )}
    </Row>
  );
}

type DeleteProps = { scope: RecordScope; record: TaxRecord };

function useDeleteAndLeave(scope: RecordScope): (record: TaxRecord) => void {
  const navigate = useNavigate();
  const { remove } = useDeleteRecord(scope, () => void navigate(recordPaths[scope].list, { replace: true }));
  return (record) => void remove(record);
}

function DeleteButton({ scope, record }: DeleteProps) {
  const remove = useDeleteAndLeave(scope);
  return (
    <Button
      variant="subtle"
      color="red"
      px="sm"
      leftSection={<IconTrash size={18} aria-hidden />}
      aria-label="Hapus (Delete)"
      onClick={() => remove(record)}
    >
      Hapus
    </Button>
  );
}

/** On phones a red button above the amount would be the first thing under the thumb. */
function DeleteMenu({ scope, record }: DeleteProps) {
  const remove = useDeleteAndLeave(scope);
  return (
    <RecordMenu
      label="Aksi lain (More)"
      icon={IconDots}
      width={200}
      hasHighItems
      variant="default"
      size={44}
      flex="none"
      deleteLabel="Hapus (Delete)"
      onDelete={() => remove(record)}
    />
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

type AuditProps = { isFoldable?: boolean; renderAudit: () => ReactNode };

/** The changes of a record. A user rarely needs them, so there they are loaded only when they are opened. */
function AuditSection({ isFoldable = false, renderAudit }: AuditProps) {
  const [opened, setOpened] = useState(!isFoldable);
  const id = useId();
  return (
    <Paper component="section" withBorder className={classes['audit']} aria-labelledby="riwayat-perubahan">
      <Title order={2} fz="h3" id="riwayat-perubahan">
        {isFoldable ? (
          <UnstyledButton
            className={classes['fold'] ?? ''}
            aria-expanded={opened}
            aria-controls={id}
            onClick={() => setOpened(!opened)}
          >
            Riwayat perubahan
            <IconChevronDown size={18} aria-hidden />
          </UnstyledButton>
        ) : (
          'Riwayat perubahan'
        )}
      </Title>
      <div id={id} className={classes['entries']} hidden={!opened}>
        {opened ? renderAudit() : null}
      </div>
    </Paper>
  );
}
