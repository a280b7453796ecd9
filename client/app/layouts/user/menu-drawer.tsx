import { Drawer } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { Brand } from '#client/ui/page/brand.tsx';
import classes from './user-layout.module.css';
import { UserMenu } from './user-menu.tsx';

/** The menu of small screens. */
export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // Opened only after it was mounted closed: otherwise it would not give the focus back.
  const isMounted = useMounted();
  return (
    <Drawer
      opened={opened && isMounted}
      onClose={onClose}
      size={300}
      // The chosen page has the processor to itself.
      transitionProps={{ exitDuration: 0 }}
      title={<Brand />}
      closeButtonProps={{ 'aria-label': 'Tutup menu' }}
      classNames={{ body: classes['drawerBody'] ?? '', content: classes['drawerContent'] ?? '' }}
    >
      <UserMenu onNavigate={onClose} />
    </Drawer>
  );
}
