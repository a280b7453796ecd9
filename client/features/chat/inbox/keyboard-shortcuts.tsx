import { Kbd } from '@mantine/core';
import { inboxShortcuts } from './inbox-shortcuts.ts';
import classes from './inbox.module.css';

/** Lists the keyboard shortcuts of the inbox, where there is space. */
export function KeyboardShortcuts() {
  return (
    <span className={classes['keys']} data-names-keys>
      {inboxShortcuts.map(({ keys, text }) => (
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
