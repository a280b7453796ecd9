import { Kbd, Modal, Title } from '@mantine/core';
import { useLocation } from 'react-router-dom';
import classes from './shortcuts-dialog.module.css';
import { type ShortcutGroup, shortcutGroups } from './shortcuts.ts';

/** All keys, by the screen on which they work; those of the page that is open stand first. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation();
  const isHere = ({ path }: ShortcutGroup): boolean => path !== undefined && pathname.startsWith(path);
  const groups = [...shortcutGroups.filter(isHere), ...shortcutGroups.filter((group) => !isHere(group))];
  return (
    <Modal opened onClose={onClose} title="Pintasan keyboard" size="lg" closeButtonProps={{ 'aria-label': 'Tutup' }}>
      {groups.map(({ screen, shortcuts }) => (
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
