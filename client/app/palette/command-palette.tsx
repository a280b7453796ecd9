import { useWindowEvent } from '@mantine/hooks';
import { useAtom } from 'jotai';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { openOverlayAtom } from './palette-state.ts';

// Loaded when they are first opened.
const CommandPaletteDialog = lazy(async () => ({
  default: (await import('./command-palette-dialog.tsx')).CommandPaletteDialog,
}));
const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }));

const MarkPaidDialog = lazy(async () => ({
  default: (await import('#client/features/tax-records/display/mark-paid/mark-paid-dialog.tsx')).MarkPaidDialog,
}));

/** Whether a key press is text for a field, or belongs to an open dialog. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !== null
  );
}

/** Puts the focus back where it was before an overlay opened. The dialogs do not, because they are mounted open. */
function useReturnFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [isOpen]);
}

/** Ctrl+K (⌘K) anywhere in the admin area: jumps to a screen, a user or a record, or marks a record as paid. '?' shows all keys. */
export function CommandPalette() {
  const [openOverlay, setOpenOverlay] = useAtom(openOverlayAtom);
  const [marking, setMarking] = useState<TaxRecord | null>(null);
  useReturnFocus(openOverlay !== null || marking !== null);
  useWindowEvent('keydown', (event) => {
    if (event.altKey || event.defaultPrevented) return;
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      event.preventDefault();
      setOpenOverlay((current) => (current === 'palette' ? null : 'palette'));
    } else if (event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)) {
      event.preventDefault();
      setOpenOverlay('shortcuts');
    }
  });
  const close = () => setOpenOverlay(null);
  return (
    <Suspense>
      {openOverlay === 'palette' ? (
        <CommandPaletteDialog
          onClose={close}
          onShowShortcuts={() => setOpenOverlay('shortcuts')}
          onMarkPaid={setMarking}
        />
      ) : null}
      {openOverlay === 'shortcuts' ? <ShortcutsDialog onClose={close} /> : null}
      {marking ? <MarkPaidDialog records={[marking]} onClose={() => setMarking(null)} /> : null}
    </Suspense>
  );
}
