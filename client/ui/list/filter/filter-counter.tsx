import { Skeleton, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import classes from '../list.module.css';

type Props = {
  label: string;
  /** Undefined while it is not known. */
  value: number | undefined;
  detail?: ReactNode;
  color?: 'red' | 'yellow' | 'green';
  loading?: boolean;
  pressed: boolean;
  onPress: () => void;
};

/** The number of rows of one kind. A press filters the list by it. */
export function FilterCounter({ label, value, detail, color, loading = false, pressed, onPress }: Props) {
  return (
    <UnstyledButton
      className={classes['counter'] ?? ''}
      style={color === undefined ? {} : { '--counter-color': `var(--mantine-color-${color}-light-color)` }}
      aria-pressed={pressed}
      onClick={onPress}
    >
      <span>{label}</span>{' '}
      {loading ? (
        <Skeleton height={18} width="3rem" />
      ) : (
        <>
          {/* A counter without data shows '–' and not 0 (R-REC-20). */}
          <strong className="tabular">{value === undefined ? '–' : formatNumber(value)}</strong>
          {detail}
        </>
      )}
    </UnstyledButton>
  );
}
