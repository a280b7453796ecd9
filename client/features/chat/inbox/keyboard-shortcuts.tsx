import { Kbd } from '@mantine/core';
import classes from './inbox.module.css';

const shortcuts: { keys: string[]; text: string }[] = [
  { keys: ['↑', '↓'], text: 'berpindah percakapan' },
  { keys: ['Enter'], text: 'mengirim pesan' },
  { keys: ['Esc'], text: 'kembali ke daftar' },
  { keys: ['/'], text: 'mencari' },
];

/** Lists the keyboard shortcuts of the inbox, where there is space. */
export function KeyboardShortcuts() {
  return (
    <span className={classes['keys']}>
      {shortcuts.map(({ keys, text }) => (
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
