import type { Participant } from '../../state/model/ephemeral-state.ts';
import classes from './notices.module.css';

function typingText(typists: readonly Participant[]): string {
  if (typists.length === 0) return '';
  const names = typists.length > 2 ? 'Beberapa orang' : typists.map(({ name }) => name).join(' dan ');
  return `${names} sedang mengetik…`;
}

/** Shows who is typing. Its space is always reserved, so that the messages do not jump. */
export function TypingIndicator({ typists }: { typists: readonly Participant[] }) {
  const text = typingText(typists);
  return (
    <div className={classes['typing']}>
      {text ? (
        <>
          <span className={classes['dots']} aria-hidden>
            <i />
            <i />
            <i />
          </span>
          <span>{text}</span>
        </>
      ) : null}
    </div>
  );
}
