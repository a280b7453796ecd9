import { Button, Group, NativeSelect, Paper } from '@mantine/core';
import { IconFilter, IconFilterOff } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ALL_OPTION, statusOptions, toStatusFilter } from '../../pages/list-filter.ts';
import {
  noOwnRecordFilter,
  type OwnRecordFilter,
  ownPropertyTypeOptions,
  toOwnPropertyTypeFilter,
} from './filter-records.ts';
import classes from './filter-panel.module.css';

const displayOptions = [
  { value: '', label: 'Semua data' },
  { value: 'tunggakan', label: 'Hanya tunggakan' },
];

const isSameFilter = (a: OwnRecordFilter, b: OwnRecordFilter) => JSON.stringify(a) === JSON.stringify(b);

type Props = { applied: OwnRecordFilter; years: string[]; onApply: (filter: OwnRecordFilter) => void };

/** The filters of the list. They take effect when the button is pressed (R-REC-14). */
export function FilterPanel({ applied, years, onApply }: Props) {
  const [draft, setDraft] = useState(applied);
  const [previousApplied, setPreviousApplied] = useState(applied);
  // Going back in the browser changes the applied filter, and the fields follow it.
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
          onChange={(event) => setDraft({ ...draft, status: toStatusFilter(event.currentTarget.value) })}
        />
        <NativeSelect
          label="Jenis Properti"
          data={ownPropertyTypeOptions}
          value={draft.property_type}
          onChange={(event) =>
            setDraft({ ...draft, property_type: toOwnPropertyTypeFilter(event.currentTarget.value) })
          }
        />
        <NativeSelect
          label="Tahun"
          data={[ALL_OPTION, ...years]}
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
