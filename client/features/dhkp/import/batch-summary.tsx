import { List, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import { FilterCounter } from '#client/ui/list/filter/filter-counter.tsx';
import { PAGE_PARAM } from '#client/ui/list/paging/page-params.ts';
import { keysOf } from '#client/ui/list/filter/url-filter.ts';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { BatchRows } from './batch-rows.tsx';
import { controlLines, type CountedKind, rowKindLabels, rowPlace } from './batch-texts.ts';

const ROWS_PARAM = 'baris';
/** These are shown also when there are none: the clerk looks for them. */
const ALWAYS: readonly CountedKind[] = ['new', 'changed', 'same', 'gone', 'problem'];
const colors: Partial<Record<CountedKind, 'red' | 'yellow' | 'green'>> = {
  new: 'green',
  changed: 'yellow',
  problem: 'red',
};

/** The changes that the file makes in the list, its totals, and the rows behind each number. */
export function BatchSummary({ batch }: { batch: Batch }) {
  const [params, setParams] = useSearchParams();
  const kinds = keysOf(rowKindLabels).filter((kind) => ALWAYS.includes(kind) || batch.counts[kind] > 0);
  const shown = kinds.find((kind) => kind === params.get(ROWS_PARAM)) ?? null;

  function show(kind: CountedKind | null): void {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (kind === null) next.delete(ROWS_PARAM);
        else next.set(ROWS_PARAM, kind);
        next.delete(PAGE_PARAM);
        return next;
      },
      { preventScrollReset: true },
    );
  }

  return (
    <Stack gap="md">
      <section
        aria-label="Baris menurut jenis"
        style={{ display: 'grid', gap: '0.5rem', gridTemplateColumns: 'repeat(auto-fit, minmax(9rem, 1fr))' }}
      >
        {kinds.map((kind) => (
          <FilterCounter
            key={kind}
            label={rowKindLabels[kind]}
            value={batch.counts[kind]}
            {...(colors[kind] && batch.counts[kind] > 0 ? { color: colors[kind] } : {})}
            pressed={shown === kind}
            onPress={() => show(shown === kind ? null : kind)}
          />
        ))}
      </section>
      <ControlLines batch={batch} />
      {batch.warnings.length > 0 ? (
        <Paper withBorder p="md" component="section" aria-label="Peringatan tentang berkas">
          <List spacing={4} fz="sm" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {batch.warnings.map(({ code, sheet, row, message }) => (
              <List.Item key={`${code} ${sheet} ${row}`}>
                {row === null && sheet === '' ? null : `${rowPlace({ sheet, row })}: `}
                {message}
              </List.Item>
            ))}
          </List>
        </Paper>
      ) : null}
      {shown === null ? null : <BatchRows key={shown} batch={batch} kind={shown} />}
    </Stack>
  );
}

/** The control totals beside the sum of the rows. */
function ControlLines({ batch }: { batch: Batch }) {
  const { control } = batch;
  const lines = controlLines(control);
  if (lines.length === 0)
    return (
      <Text fz="sm" c="dimmed">
        Berkas tidak memuat jumlah kontrol. Bila ada daftar kertas, ketik jumlahnya di bawah untuk dibandingkan.
      </Text>
    );
  const Icon = control.equal === false ? IconAlertTriangle : IconCircleCheck;
  return (
    <Paper withBorder p="md" component="section" aria-label="Jumlah kontrol">
      <List
        center
        spacing={4}
        fw={600}
        className="tabular"
        icon={
          <Icon
            size={20}
            aria-hidden
            color={`var(--mantine-color-${control.equal === false ? 'red' : 'green'}-light-color)`}
          />
        }
      >
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Paper>
  );
}
