import { useState } from 'react';
import { isInstalledApp } from '#client/lib/browser/display-mode.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';

const loadInstallHint = async () => (await import('./install-hint.tsx')).InstallHint;

/** The page is shown and at rest. */
const LOAD_DELAY_MS = 2500;

/** A computer has room for bookmarks, and plain http installs nothing. */
function isHintPossible(): boolean {
  return window.isSecureContext && window.matchMedia('(pointer: coarse)').matches && !isInstalledApp();
}

/** The hint of R-PWA-30 for users. Its code is no part of the first load. */
export function InstallMount() {
  const [wanted] = useState(isHintPossible);
  const { Component } = useLazyComponent(loadInstallHint, {
    wanted,
    delayMs: LOAD_DELAY_MS,
  });
  return Component ? <Component /> : null;
}
