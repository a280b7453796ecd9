import type { Person } from '../session/live.ts';
import classes from './thread.module.css';

function wordsFor(people: readonly Person[]): string {
  if (people.length === 0) return '';
  const names = people.length > 2 ? 'Beberapa orang' : people.map(({ name }) => name).join(' dan ');
  return `${names} sedang mengetik…`;
}

/** Who is typing; the line keeps its place, so that nothing jumps when somebody begins. */
export function TypingLine({ people }: { people: readonly Person[] }) {
  const words = wordsFor(people);
  return (
    <div className={classes['typing']} aria-live="polite">
      {words ? (
        <>
          <span className={classes['dots']} aria-hidden>
            <i />
            <i />
            <i />
          </span>
          <span>{words}</span>
        </>
      ) : null}
    </div>
  );
}
