import { Button, Group, NativeSelect, Paper } from '@mantine/core';
import { IconFilter, IconFilterOff } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels, statusLabels } from '#shared/texts.ts';
import { NO_PROPERTY_TYPE, noOwnRecordFilter, type OwnRecordFilter } from './filter-records.ts';
import classes from './filter-panel.module.css';

type Option = { value: string; label: string };

function toOptions(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

const statusOptions = [{ value: '', label: 'Semua' }, ...toOptions(statusLabels)];
const propertyOptions = [
  { value: '', label: 'Semua' },
  ...toOptions(propertyTypeLabels),
  { value: NO_PROPERTY_TYPE, label: NO_PROPERTY_TYPE_LABEL },
];
const displayOptions = [
  { value: '', label: 'Semua data' },
  { value: 'tunggakan', label: 'Hanya tunggakan' },
];

const isSameFilter = (a: OwnRecordFilter, b: OwnRecordFilter) => JSON.stringify(a) === JSON.stringify(b);

type Props = { applied: OwnRecordFilter; years: string[]; onApply: (filter: OwnRecordFilter) => void };

/** What is to be shown; nothing happens until the button is pressed (specification 2.3). */
export function FilterPanel({ applied, years, onApply }: Props) {
  const [draft, setDraft] = useState(applied);
  const [previousApplied, setPreviousApplied] = useState(applied);
  // Going back in the browser changes what applies; the fields follow.
  if (!isSameFilter(previousApplied, applied)) {
    setPreviousApplied(applied);
    setDraft(applied);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    onApply(draft);
  }

  function clear() {
    setDraft(noOwnRecordFilter);
    onApply(noOwnRecordFilter);
  }

  return (
    <Paper component="form" withBorder p="md" mb="md" className="no-print" aria-label="Saring data" onSubmit={submit}>
      <div className={classes['fields']}>
        <NativeSelect
          label="Status"
          data={statusOptions}
          value={draft.status}
          onChange={(event) => setDraft({ ...draft, status: event.currentTarget.value })}
        />
        <NativeSelect
          label="Jenis Properti"
          data={propertyOptions}
          value={draft.propertyType}
          onChange={(event) => setDraft({ ...draft, propertyType: event.currentTarget.value })}
        />
        <NativeSelect
          label="Tahun"
          data={[{ value: '', label: 'Semua' }, ...years]}
          value={draft.year}
          onChange={(event) => setDraft({ ...draft, year: event.currentTarget.value })}
        />
        <NativeSelect
          label="Tampilan"
          data={displayOptions}
          value={draft.display}
          onChange={(event) =>
            setDraft({ ...draft, display: event.currentTarget.value === 'tunggakan' ? 'tunggakan' : '' })
          }
        />
        <Group gap="xs" wrap="nowrap" className={classes['buttons']}>
          <Button
            type="submit"
            variant={isSameFilter(draft, applied) ? 'light' : 'filled'}
            leftSection={<IconFilter size={18} aria-hidden />}
            className={classes['apply']}
          >
            Filter
          </Button>
          <Button
            variant="subtle"
            color="gray"
            px="sm"
            leftSection={<IconFilterOff size={18} aria-hidden />}
            aria-label="Bersihkan filter (Clear)"
            onClick={clear}
          >
            Bersihkan
          </Button>
        </Group>
      </div>
    </Paper>
  );
}
