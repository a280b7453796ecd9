import { Button, Group, NativeSelect, Paper, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconFilter, IconFilterOff } from '@tabler/icons-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { ALL_OPTION, statusOptions, toOptions, toStatusFilter } from '../../pages/list-filter.ts';
import {
  describeFilter,
  displayLabels,
  noOwnRecordFilter,
  type OwnRecordFilter,
  ownPropertyTypeOptions,
  toDisplayFilter,
  toOwnPropertyTypeFilter,
} from './filter-records.ts';
import classes from './filter-panel.module.css';

/** Two of them come only from a link, so each is offered only where it is chosen (R-REC-14). */
const displayOptions = (applied: OwnRecordFilter['display']) =>
  toOptions(displayLabels).filter(({ value }) => ['', 'tunggakan', applied].includes(value));

const isSameFilter = (a: OwnRecordFilter, b: OwnRecordFilter) => JSON.stringify(a) === JSON.stringify(b);

type Props = { applied: OwnRecordFilter; years: string[]; onApply: (filter: OwnRecordFilter) => void };

/** The filters of the list. They take effect when the button is pressed (R-REC-14). */
export function FilterPanel({ applied, years, onApply }: Props) {
  const [draft, setDraft] = useState(applied);
  // Only where the fields are folded, which the style sheet decides.
  const [opened, setOpened] = useState(false);
  const foldButton = useRef<HTMLButtonElement>(null);
  const fieldsId = useId();
  const [previousApplied, setPreviousApplied] = useState(applied);
  // Going back in the browser changes the applied filter, and the fields follow it.
  if (!isSameFilter(previousApplied, applied)) {
    setPreviousApplied(applied);
    setDraft(applied);
  }

  function apply(filter: OwnRecordFilter) {
    setDraft(filter);
    onApply(filter);
    // The pressed button disappears with the fields where they are folded.
    if (opened) foldButton.current?.focus();
    setOpened(false);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    apply(draft);
  }

  return (
    <Paper
      component="form"
      withBorder
      mb="md"
      className={`${classes['panel']} no-print`}
      aria-label="Saring data"
      onSubmit={submit}
    >
      <UnstyledButton
        ref={foldButton}
        className={classes['fold'] ?? ''}
        aria-expanded={opened}
        aria-controls={fieldsId}
        onClick={() => setOpened(!opened)}
      >
        <IconFilter size={18} aria-hidden />
        <span className={classes['summary']}>
          Filter · {isSameFilter(applied, noOwnRecordFilter) ? 'Semua' : describeFilter(applied)}
        </span>
        <IconChevronDown size={18} className={classes['chevron'] ?? ''} aria-hidden />
      </UnstyledButton>
      <div id={fieldsId} className={classes['fields']} data-opened={opened || undefined}>
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
          data={displayOptions(applied.display)}
          value={draft.display}
          onChange={(event) => setDraft({ ...draft, display: toDisplayFilter(event.currentTarget.value) })}
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
            onClick={() => apply(noOwnRecordFilter)}
          >
            Bersihkan
          </Button>
        </Group>
      </div>
    </Paper>
  );
}
