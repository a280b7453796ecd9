import { lazy, Suspense, useState } from 'react';
import { useWindowEvent } from '@mantine/hooks';

// Loaded when the keys are first pressed.
const CommandPaletteDialog = lazy(async () => ({
  default: (await import('./command-palette-dialog.tsx')).CommandPaletteDialog,
}));

/** Ctrl+K (⌘K) anywhere in the admin area: jumps to a screen, a user or a record. */
export function CommandPalette() {
  const [opened, setOpened] = useState(false);
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    setOpened((current) => !current);
  });
  if (!opened) return null;
  return (
    <Suspense>
      <CommandPaletteDialog onClose={() => setOpened(false)} />
    </Suspense>
  );
}
