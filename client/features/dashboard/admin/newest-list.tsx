import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  Menu,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { IconDots, IconLayoutGrid, IconTable, type TablerIcon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { Page } from '#shared/api/envelope.ts';
import classes from './dashboard.module.css';
import { readStored, writeStored } from '#client/lib/storage/safe-storage.ts';

export type RowColumn<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  cellProps?: { ta?: 'right'; fw?: number; className?: string };
};

type RowProps<Row> = {
  /** The columns of the table; the first one names the row. */
  columns: readonly RowColumn<Row>[];
  /** A card without its menu. */
  renderCard: (row: Row) => ReactNode;
  renderMenu: (row: Row) => ReactNode;
};

type Props<Row> = RowProps<Row> & {
  /** The list whose view is stored. */
  list: 'users' | 'records';
  title: string;
  /** The word for one row, for example 'pengguna'. */
  unit: string;
  query: UseQueryResult<Page<Row>>;
  allPath: string;
  empty: { title: string; icon: TablerIcon };
};

const views = [
  { value: 'kartu', Icon: IconLayoutGrid, label: 'Kartu' },
  { value: 'tabel', Icon: IconTable, label: 'Tabel' },
];

const SKELETON_ROWS = [1, 2, 3];

/** A list of the dashboard: heading, total, link to the whole list, and every state of loading. */
export function NewestList<Row extends { id: string }>(props: Props<Row>) {
  const { list, title, unit, query, allPath, empty, ...rowProps } = props;
  const { view, choose } = useStoredView(list);
  const headingId = useId();
  const { data } = query;
  const Rows = view === 'tabel' ? NewestTable : NewestCards;
  return (
    <Paper component="section" withBorder p="lg" mb="md" aria-labelledby={headingId} aria-busy={query.isPending}>
      <div className={classes['sectionHead']}>
        <div>
          <Title order={2} id={headingId}>
            {title}
          </Title>
          <Text c="dimmed" fz="sm" className="tabular">
            {data ? `Total ${formatNumber(data.total)} ${unit}` : ' '}
          </Text>
        </div>
        <Group gap="0.5rem 1rem" className="no-print">
          <SegmentedControl
            aria-label={`Tampilan ${title}`}
            value={view}
            onChange={choose}
            data={views.map(({ value, label, Icon }) => ({
              value,
              label: (
                <span className={classes['choice']}>
                  <Icon size={16} aria-hidden /> {label}
                </span>
              ),
            }))}
          />
          <Anchor
            component={Link}
            to={allPath}
            fw={600}
            className={classes['all'] ?? ''}
            aria-label={`Lihat Semua ${unit}`}
          >
            Lihat Semua
          </Anchor>
        </Group>
      </div>
      {query.isPending ? (
        <Stack gap="md" aria-hidden>
          {SKELETON_ROWS.map((row) => (
            <Skeleton key={row} height={64} radius="md" />
          ))}
        </Stack>
      ) : null}
      {query.isError && !data ? (
        <Stack align="flex-start" gap="sm">
          <Text c="dimmed">Daftar ini tidak dapat ditampilkan.</Text>
          <Button variant="light" loading={query.isFetching} onClick={() => void query.refetch()}>
            Muat ulang daftar
          </Button>
        </Stack>
      ) : null}
      {data && data.data.length === 0 ? <EmptyState icon={empty.icon} title={empty.title} /> : null}
      {data && data.data.length > 0 ? <Rows rows={data.data} {...rowProps} /> : null}
    </Paper>
  );
}

type ListView = 'kartu' | 'tabel';

/** Cards or table for a list of the dashboard. The choice is stored in the browser; the default is cards. */
function useStoredView(list: 'users' | 'records') {
  const key = `admin_dashboard_${list}`;
  const [view, setView] = useState<ListView>(() => (readStored(key) === 'tabel' ? 'tabel' : 'kartu'));

  function choose(next: string): void {
    const chosen = next === 'tabel' ? 'tabel' : 'kartu';
    writeStored(key, chosen);
    setView(chosen);
  }

  return { view, choose };
}

type RowsProps<Row> = RowProps<Row> & { rows: readonly Row[] };

function NewestCards<Row extends { id: string }>({ rows, renderCard, renderMenu }: RowsProps<Row>) {
  return (
    <ul className={classes['rows']}>
      {rows.map((row) => (
        <li key={row.id} className={classes['row']}>
          {renderCard(row)}
          {renderMenu(row)}
        </li>
      ))}
    </ul>
  );
}

function NewestTable<Row extends { id: string }>({ rows, columns, renderMenu }: RowsProps<Row>) {
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table verticalSpacing="xs" horizontalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, cellProps }) => (
              <Table.Th key={header} scope="col" {...(cellProps?.ta ? { ta: cellProps.ta } : {})}>
                {header}
              </Table.Th>
            ))}
            <Table.Th scope="col" ta="right" className="no-print">
              Aksi
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              {columns.map(({ header, cell, cellProps }, index) =>
                index === 0 ? (
                  <Table.Th key={header} scope="row" className={classes['break'] ?? ''}>
                    {cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={header} {...cellProps}>
                    {cell(row)}
                  </Table.Td>
                ),
              )}
              <Table.Td ta="right" className="no-print">
                {renderMenu(row)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The name of a row, which opens its page. */
export function RowName({ to, name }: { to: string; name: string }) {
  return (
    <Anchor component={Link} to={to} className={classes['name'] ?? ''}>
      {name}
    </Anchor>
  );
}

type MenuProps = {
  /** The subject of the row, for screen readers. */
  label: string;
  /** The button; an action that opens a dialog focuses it first, so that the dialog gives the focus back to it. */
  button?: RefObject<HTMLButtonElement | null>;
  children: ReactNode;
};

/** The actions of a row. */
export function RowMenu({ label, button, children }: MenuProps) {
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <ActionIcon
          size={40}
          color="gray"
          className="no-print"
          aria-label={`Tindakan untuk ${label}`}
          title="Tindakan"
          {...(button ? { ref: button } : {})}
        >
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
