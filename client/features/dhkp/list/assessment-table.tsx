import { Anchor, Badge, Paper, Table, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { showDateShort } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import type { Density } from '#client/ui/list/rows/density.tsx';
import list from '#client/ui/list/list.module.css';
import { PageCheckbox, RowCheckbox } from '#client/ui/list/rows/row-checkbox.tsx';
import rows from '#client/ui/list/rows/rows.module.css';
import { SortableHeader } from '#client/ui/list/rows/sortable-header.tsx';
import { useOpenRow } from '#client/ui/list/rows/use-open-row.ts';
import type { Selection } from '#client/ui/list/rows/use-selection.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { AssessmentFilter } from '../api.ts';
import { assessmentStatus, collectorText, handedOutText, objectLabel } from '../display/assessment-texts.ts';

export type RowsProps = {
  assessments: readonly Assessment[];
  selection: Selection<Assessment>;
  density: Density;
  sort: AssessmentFilter['sort'];
  onSort: (sort: AssessmentFilter['sort']) => void;
  /** An account for the owner of an object without one. */
  onMakeAccount: (assessment: Assessment) => void;
};

/** Objects on wide screens: many columns, so each cell has at most two small lines. */
export function AssessmentTable({ assessments, selection, density, sort, onSort, onMakeAccount }: RowsProps) {
  const openRow = useOpenRow();
  const lines = density === 'compact' ? 1 : 2;
  return (
    <Paper withBorder radius="md" className={`${list['frame']} ${rows['frame']}`} data-density={density}>
      <Table highlightOnHover className={rows['table'] ?? ''} data-dense>
        <Table.Thead className={list['head'] ?? ''} fz="xs">
          <Table.Tr>
            <Table.Th scope="col" w="2.5rem">
              <PageCheckbox selection={selection} />
            </Table.Th>
            <SortableHeader label="NOP" column="nop" sort={sort} onSort={onSort} w="8.75rem" />
            <SortableHeader label="Nama" column="name" sort={sort} onSort={onSort} />
            <Table.Th scope="col">Alamat objek</Table.Th>
            <SortableHeader label="Wilayah" column="area" sort={sort} onSort={onSort} w="6rem" />
            <SortableHeader
              label="Ketetapan"
              column="amount"
              descendingFirst
              sort={sort}
              onSort={onSort}
              align="right"
              w="6.25rem"
            />
            <Table.Th scope="col" w="5.75rem">
              Jatuh tempo
            </Table.Th>
            <Table.Th scope="col" w="5rem">
              Kolektor
            </Table.Th>
            <Table.Th scope="col" w="5.25rem">
              SPPT
            </Table.Th>
            <Table.Th scope="col" w="5.25rem">
              Akun
            </Table.Th>
            <Table.Th scope="col" w="7.25rem">
              Status
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {assessments.map((assessment) => (
            <Table.Tr
              key={assessment.id}
              data-row
              data-selected={selection.has(assessment.id) || undefined}
              onClick={(event) => openRow(paths.adminDhkpObject(assessment.id), event)}
            >
              <Table.Td>
                <RowCheckbox row={assessment} label={objectLabel(assessment)} selection={selection} />
              </Table.Td>
              <Table.Th scope="row" ta="start" className="tabular">
                <Anchor
                  component={Link}
                  to={paths.adminDhkpObject(assessment.id)}
                  fz="inherit"
                  lh="inherit"
                  fw={600}
                  c="inherit"
                  className={rows['nameLink'] ?? ''}
                >
                  {assessment.nop_text}
                </Anchor>
              </Table.Th>
              <Cell text={assessment.name ?? '-'} lines={lines} isStrong />
              <Cell text={assessment.object_address ?? '-'} lines={lines} />
              <Cell text={assessment.area?.path ?? '-'} lines={lines} />
              <Table.Td ta="right" fw={600}>
                <Money amount={assessment.amount} />
              </Table.Td>
              <Table.Td>{showDateShort(assessment.due_date)}</Table.Td>
              <Cell text={collectorText(assessment)} lines={lines} />
              <Table.Td>{handedOutText(assessment)}</Table.Td>
              <Table.Td>
                <AccountCell assessment={assessment} lines={lines} onMakeAccount={onMakeAccount} />
              </Table.Td>
              <Table.Td>
                <StatusText assessment={assessment} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Cell({ text, lines, isStrong = false }: { text: string; lines: number; isStrong?: boolean }) {
  return (
    <Table.Td>
      <Text inherit lineClamp={lines} fw={isStrong ? 600 : 400} title={text} style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </Table.Td>
  );
}

type AccountCellProps = { assessment: Assessment; lines?: number; onMakeAccount: RowsProps['onMakeAccount'] };

/** The account of an object, or the button that makes one for its owner. */
export function AccountCell({ assessment, lines, onMakeAccount }: AccountCellProps) {
  if (assessment.account !== null)
    return <AccountLink account={assessment.account} {...(lines === undefined ? {} : { lines })} />;
  return (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      lh="inherit"
      ta="start"
      className="no-print"
      aria-label={`Buat akun warga untuk ${objectLabel(assessment)}`}
      onClick={() => onMakeAccount(assessment)}
    >
      Buat akun warga
    </Anchor>
  );
}

type AccountProps = { account: NonNullable<Assessment['account']>; lines?: number };

/** The account that an object is linked to. */
export function AccountLink({ account: { id, name }, lines }: AccountProps) {
  return (
    <Anchor
      component={Link}
      to={paths.adminUser(id)}
      fz="inherit"
      lh="inherit"
      title={name}
      style={{ overflowWrap: 'anywhere' }}
      {...(lines === undefined ? { underline: 'always' } : { lineClamp: lines })}
    >
      {name}
    </Anchor>
  );
}

/** The status of an object; the usual one is plain, so that the others stand out. */
export function StatusText({ assessment }: { assessment: Assessment }) {
  const { text, color } = assessmentStatus(assessment);
  if (color === 'gray')
    return (
      <Text component="span" inherit c="dimmed">
        {text}
      </Text>
    );
  return (
    // On two lines rather than cut off.
    <Badge
      variant="light"
      color={color}
      radius="sm"
      px={6}
      fz="xs"
      fw={600}
      h="auto"
      styles={{ label: { whiteSpace: 'normal', lineHeight: 1.2 } }}
    >
      {text}
    </Badge>
  );
}
