import { Kbd } from '@mantine/core';
import classes from './desk.module.css';

const hints: { keys: string[]; text: string }[] = [
  { keys: ['↑', '↓'], text: 'berpindah percakapan' },
  { keys: ['Enter'], text: 'mengirim pesan' },
  { keys: ['Esc'], text: 'kembali ke daftar' },
  { keys: ['/'], text: 'mencari' },
];

/** The keys of the desk, where there is room to learn them. */
export function KeyHints() {
  return (
    <span className={classes['keys']}>
      {hints.map(({ keys, text }) => (
        <span key={text} className={classes['key']}>
          <span className={classes['caps']}>
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </span>
          <span>{text}</span>
        </span>
      ))}
    </span>
  );
}
