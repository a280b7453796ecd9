import { Button, Group, Paper, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconFilter } from '@tabler/icons-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { choicesOf, ClearFilterButton, FilterSelect } from '#client/ui/list/filter/filter-fields.tsx';
import { NO_PROPERTY_TYPE_LABEL } from '#shared/labels.ts';
import { propertyTypeChoices, statusChoices, yearChoices } from '../../pages/filter-choices.ts';
import {
  describeFilter,
  displayLabels,
  NO_PROPERTY_TYPE,
  noOwnRecordFilter,
  type OwnRecordFilter,
} from './filter-records.ts';
import classes from './filter-panel.module.css';

const ownPropertyTypeChoices = [
  ...propertyTypeChoices,
  { value: NO_PROPERTY_TYPE, label: NO_PROPERTY_TYPE_LABEL } as const,
];

/** Two of them come only from a link, so each is offered only where it is chosen (R-REC-14). */
const displayChoices = (applied: OwnRecordFilter['display']) =>
  choicesOf(displayLabels).filter(({ value }) => value === 'tunggakan' || value === applied);

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
    <Paper component="form" withBorder mb="md" className="no-print" aria-label="Saring data" onSubmit={submit}>
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
        <FilterSelect
          label="Status"
          choices={statusChoices}
          value={draft.status}
          onChange={(status) => setDraft({ ...draft, status })}
        />
        <FilterSelect
          label="Jenis Properti"
          choices={ownPropertyTypeChoices}
          value={draft.property_type}
          onChange={(property_type) => setDraft({ ...draft, property_type })}
        />
        <FilterSelect
          label="Tahun"
          choices={yearChoices(years)}
          value={draft.year}
          onChange={(year) => setDraft({ ...draft, year })}
        />
        <FilterSelect
          label="Tampilan"
          allLabel="Semua data"
          choices={displayChoices(applied.display)}
          value={draft.display}
          onChange={(display) => setDraft({ ...draft, display })}
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
          <ClearFilterButton onClear={() => apply(noOwnRecordFilter)} />
        </Group>
      </div>
    </Paper>
  );
}
