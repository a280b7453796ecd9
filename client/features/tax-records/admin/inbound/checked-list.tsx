import { Anchor, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { showDateTime } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { usePageParam } from '#client/ui/list/paging/page-params.ts';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { RecordAmount } from '../../display/record-amount.tsx';
import { recordHeading } from '../../display/record-labels.ts';
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

/** The checked reports, newest first. Each leads back to its photo, where the check can be undone. */
export function CheckedList({ state }: { state: CheckedState }) {
  const { page, setPage } = usePageParam();
  const query = useQuery(checkedQuery(state, page));
  return (
    <QueryList
      isPage
      query={query}
      failedText={scopeTexts.admin.loadFailed}
      loading={{ text: 'Memuat hasil pencocokan…', rows: 5, height: 64 }}
      setPage={setPage}
      pagerLabel="Halaman hasil pencocokan"
      empty={
        <Paper withBorder>
          <EmptyState title={emptyTitles[state]} />
        </Paper>
      }
    >
      {(records) => (
        <Paper withBorder component="ul" className={classes['checked']}>
          {records.map((record) => (
            <CheckedRow key={record.id} record={record} />
          ))}
        </Paper>
      )}
    </QueryList>
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
          {record.user.name} · {formatSptNumber(record.spt_number)}
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
      <Text component="strong" fw={700} ta="end">
        <RecordAmount record={record} />
      </Text>
    </li>
  );
}
