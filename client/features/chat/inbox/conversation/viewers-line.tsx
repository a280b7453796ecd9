import { IconEye } from '@tabler/icons-react';
import type { Participant } from '../../session/ephemeral-state.ts';
import classes from './conversation.module.css';

/** 'Ibu Ratna', 'Ibu Ratna dan Pak Joko', 'Ibu Ratna, Pak Joko, dan 2 lainnya'. */
function namesOf(viewers: readonly Participant[]): string {
  const [first, second, ...rest] = viewers.map(({ name }) => name);
  if (second === undefined) return first ?? '';
  return rest.length === 0 ? `${first} dan ${second}` : `${first}, ${second}, dan ${rest.length} lainnya`;
}

/** Which colleagues look at the same conversation, so that two of them do not answer at once. */
export function ViewersNotice({ viewers }: { viewers: readonly Participant[] }) {
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
