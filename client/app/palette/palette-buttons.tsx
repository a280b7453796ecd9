import { ActionIcon, Button, Kbd } from '@mantine/core';
import { IconKeyboard, IconSearch } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import classes from './palette-buttons.module.css';
import { MODIFIER_KEY, openOverlayAtom } from './palette-state.ts';

/** Opens the palette. Where there is no space for its key, only the icon is shown. */
export function SearchButton() {
  const setOpenOverlay = useSetAtom(openOverlayAtom);
  return (
    <Button
      variant="default"
      className={classes['search'] ?? ''}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={
        <span className={classes['keys']} data-names-keys aria-hidden>
          <Kbd>{MODIFIER_KEY}</Kbd>
          <Kbd>K</Kbd>
        </span>
      }
      aria-label="Cari (Search)"
      title="Cari halaman, pengguna, atau data PBB"
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={() => setOpenOverlay('palette')}
    >
      <span className={classes['word']}>Cari</span>
    </Button>
  );
}

/** Opens the list of keys; left out on small screens, which mostly have no keyboard. */
export function ShortcutsButton() {
  const setOpenOverlay = useSetAtom(openOverlayAtom);
  return (
    <ActionIcon
      color="gray"
      visibleFrom="md"
      data-names-keys
      aria-label="Pintasan keyboard (Shortcuts)"
      title="Pintasan keyboard ( ? )"
      aria-keyshortcuts="?"
      aria-haspopup="dialog"
      onClick={() => setOpenOverlay('shortcuts')}
    >
      <IconKeyboard size={22} aria-hidden />
    </ActionIcon>
  );
}
