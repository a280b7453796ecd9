import { Button, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ClearFilterButton } from './filter-fields.tsx';
import classes from './result-line.module.css';

export type FilterPart<Key extends string> = { label: string; value: string; keys: readonly Key[] };

type Props<Key extends string> = {
  /** The number of found rows and their sum; null while it is not known. */
  summary: ReactNode;
  parts: readonly FilterPart<Key>[];
  onRemove: (keys: readonly Key[]) => void;
  onClear: () => void;
  /** At the end of the line, or below it. */
  children?: ReactNode;
};

/** The sum of a filter, and each of its parts with a button that removes it. */
export function ResultLine<Key extends string>({ summary, parts, onRemove, onClear, children }: Props<Key>) {
  return (
    <div className={`no-print ${classes['line']}`}>
      {summary === null ? null : (
        <Text component="output" display="block" fw={600} className="tabular">
          {summary}
        </Text>
      )}
      {parts.map(({ label, value, keys }) => (
        <Button
          key={label}
          variant="light"
          className={classes['chip'] ?? ''}
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Hapus filter ${label}: ${value}`}
          onClick={() => onRemove(keys)}
        >
          {label}: {value}
        </Button>
      ))}
      {parts.length > 0 ? <ClearFilterButton className={classes['chip'] ?? ''} onClear={onClear} /> : null}
      {children}
    </div>
  );
}
