import { useAtom } from 'jotai';
import { useEffect, useState } from 'react';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';
import { CommandPaletteDialog } from './command-palette-dialog.tsx';
import { isPaletteKey, openOverlayAtom, returnFocus } from './palette-state.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

// The calendar is large.
const loadMarkPaidDialog = async () =>
  (await import('#client/features/tax-records/display/mark-paid/mark-paid-dialog.tsx')).MarkPaidDialog;

/**
 * Ctrl+K (⌘K) anywhere in the admin area: jumps to a screen, a user or a record, or marks a record as paid. '?' shows all keys.
 * Both dialogs come with the layout: what is typed right after the key must find them there.
 */
export function CommandPalette() {
  const [openOverlay, setOpenOverlay] = useAtom(openOverlayAtom);
  const [marking, setMarking] = useState<TaxRecord | null>(null);
  const isOpen = openOverlay !== null || marking !== null;
  useEffect(() => (isOpen ? returnFocus : undefined), [isOpen]);
  const { Component: MarkPaidDialog } = useLazyOverlay(loadMarkPaidDialog, {
    wanted: marking !== null,
    failure: 'Tandai Lunas gagal dibuka',
    onCancel: () => setMarking(null),
  });
  usePageKeys(
    (event) => {
      if (!isPaletteKey(event)) return;
      event.preventDefault();
      setOpenOverlay('palette');
    },
    { inFields: true },
  );
  usePageKeys((event) => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setOpenOverlay('shortcuts');
  });
  const close = () => setOpenOverlay(null);
  return (
    <>
      {openOverlay === 'palette' ? (
        <CommandPaletteDialog
          onClose={close}
          onShowShortcuts={() => setOpenOverlay('shortcuts')}
          onMarkPaid={setMarking}
        />
      ) : null}
      {openOverlay === 'shortcuts' ? <ShortcutsDialog onClose={close} /> : null}
      {marking && MarkPaidDialog ? <MarkPaidDialog records={[marking]} onClose={() => setMarking(null)} /> : null}
    </>
  );
}
