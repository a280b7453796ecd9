import { Kbd, Modal, Title } from '@mantine/core';
import classes from './shortcuts-dialog.module.css';
import { shortcutGroups } from './shortcuts.ts';

/** All keys, by the screen on which they work. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Pintasan keyboard" size="lg" closeButtonProps={{ 'aria-label': 'Tutup' }}>
      {shortcutGroups.map(({ screen, shortcuts }) => (
        <section key={screen} className={classes['group']}>
          <Title order={3} fz="md">
            {screen}
          </Title>
          <dl className={classes['list']}>
            {shortcuts.map(({ keys, text }) => (
              <div key={text} className={classes['line']}>
                <dt className={classes['keys']}>
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
