import { Anchor, Paper, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { Pager } from '#client/ui/data/pager.tsx';
import { usePageParam } from '#client/ui/data/use-page-param.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { recordHeading } from '../../display/record-title.ts';
import { StatusBadge } from '../../display/status-badge.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import { scopeTexts } from '../../pages/scope-texts.ts';
import { type CheckedState, checkedQuery } from './inbound-api.ts';
import classes from './inbound.module.css';

const emptyTitles: Record<CheckedState, string> = {
  matched: 'Belum ada bukti yang dicocokkan',
  rejected: 'Tidak ada bukti yang tidak cocok',
  outdated: 'Tidak ada data yang berubah sejak dicocokkan',
};

/** What was checked, newest first; each leads back to its photo, where the check can be undone. */
export function CheckedList({ state }: { state: CheckedState }) {
  const { page, setPage } = usePageParam();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(checkedQuery(state, page));
  if (!data && error) {
    return (
      <Paper withBorder>
        <ErrorState
          title={messageOf(error, scopeTexts.admin.loadFailed)}
          description={hintOf(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      </Paper>
    );
  }
  if (!data) {
    return (
      <>
        <VisuallyHidden component="output">Memuat hasil pencocokan…</VisuallyHidden>
        <Skeleton height={320} radius="md" aria-hidden />
      </>
    );
  }
  if (data.total === 0) {
    return (
      <Paper withBorder>
        <EmptyState title={emptyTitles[state]} />
      </Paper>
    );
  }
  return (
    <>
      <Paper withBorder component="ul" className={classes['checked']} aria-busy={isPlaceholderData}>
        {data.data.map((record) => (
          <CheckedRow key={record.id} record={record} />
        ))}
      </Paper>
      {data.last_page > 1 ? (
        <Pager page={page} pageCount={data.last_page} onChange={setPage} label="Halaman hasil pencocokan" />
      ) : null}
    </>
  );
}

function CheckedRow({ record }: { record: TaxRecord }) {
  const { verification } = record;
  return (
    <li>
      <div className={classes['checkedName']}>
        <Anchor component={Link} to={paths.adminInboundRecord(record.id)} fw={600}>
          {recordHeading(record)}
        </Anchor>
        <Text fz="sm" c="dimmed">
          {record.user.name} · {record.spt_number}
        </Text>
      </div>
      <div className={classes['checkedMark']}>
        <VerificationMark record={record} scope="admin" />
        {verification.at ? (
          <Text fz="sm" c="dimmed">
            {verification.state === 'matched' ? '' : `${verification.by_name} · `}
            {showDateTime(verification.at)}
          </Text>
        ) : null}
      </div>
      <StatusBadge status={record.status} />
      <strong className={classes['checkedSum']}>
        <Money amount={record.amount} />
      </strong>
    </li>
  );
}
