import { useId } from 'react';
import type { ConversationCounts } from '#shared/api/chat.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { ListFilter } from '../../session/list/list-order.ts';
import classes from './filter-chips.module.css';

type OnlyFilter = ListFilter['only'];

const choices: { value: OnlyFilter; label: string }[] = [
  { value: 'all', label: 'Semua' },
  { value: 'waiting', label: 'Belum dibalas' },
  { value: 'unread', label: 'Belum dibaca' },
  { value: 'snoozed', label: 'Ditunda' },
  { value: 'mine', label: 'Saya' },
];

type Props = {
  value: OnlyFilter;
  /** Null until the server has counted. */
  counts: ConversationCounts | null;
  onChange: (only: OnlyFilter) => void;
};

/** The filters of the inbox list, each with the number of its conversations. */
export function FilterChips({ value, counts, onChange }: Props) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label="Saring percakapan" className={classes['chips']}>
      {choices.map((choice) => {
        const count = choice.value === 'all' ? 0 : (counts?.[choice.value] ?? 0);
        return (
          <label key={choice.value} className={classes['chip']} data-checked={choice.value === value || undefined}>
            <input
              type="radio"
              name={name}
              className={classes['radio']}
              // Brackets around the numbers would not leave all five filters room in one line.
              aria-label={count > 0 ? `${choice.label} (${formatNumber(count)})` : undefined}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
            {count > 0 ? <span className={classes['count']}>{formatNumber(count)}</span> : null}
          </label>
        );
      })}
    </div>
  );
}
