import { Kbd } from '@mantine/core';
import classes from './inbox.module.css';

const shortcuts: { keys: string[]; text: string }[] = [
  { keys: ['↑', '↓'], text: 'berpindah percakapan' },
  { keys: ['Enter'], text: 'mengirim pesan' },
  { keys: ['Esc'], text: 'kembali ke daftar' },
  { keys: ['/'], text: 'mencari' },
];

/** The keys of the desk, where there is room to learn them. */
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
