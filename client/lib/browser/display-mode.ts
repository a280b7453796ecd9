/** Whether this page is a window of the installed app, without the bars of the browser. */
export function isInstalledApp(): boolean {
  // iOS says it only in a property of its own on some versions.
  if ((navigator as { standalone?: boolean }).standalone === true) return true;
  return ['standalone', 'minimal-ui', 'fullscreen', 'window-controls-overlay'].some(
    (mode) => window.matchMedia(`(display-mode: ${mode})`).matches,
  );
}

/** Calls `listener` when this page becomes a window of the app. */
export function onInstalledWindow(listener: () => void): void {
  window.matchMedia('(display-mode: standalone)').addEventListener('change', () => isInstalledApp() && listener(), {
    once: true,
  });
}
