import { IconEye } from '@tabler/icons-react';
import type { Person } from '../../session/live.ts';
import classes from './conversation.module.css';

/** 'Ibu Ratna', 'Ibu Ratna dan Pak Joko', 'Ibu Ratna, Pak Joko, dan 2 lainnya'. */
function namesOf(people: readonly Person[]): string {
  const [first, second, ...rest] = people.map(({ name }) => name);
  if (second === undefined) return first ?? '';
  return rest.length === 0 ? `${first} dan ${second}` : `${first}, ${second}, dan ${rest.length} lainnya`;
}

/** Which colleagues look at the same conversation, so that two of them do not answer at once. */
export function ViewersLine({ viewers }: { viewers: readonly Person[] }) {
  return (
    <output className={classes['viewers']} data-empty={viewers.length === 0 || undefined}>
      {viewers.length === 0 ? null : (
        <>
          <IconEye size={16} aria-hidden />
          {namesOf(viewers)} juga melihat percakapan ini
        </>
      )}
    </output>
  );
}
