/** Whether this page is a window of the installed app, without the bars of the browser. */
export function isInstalledApp(): boolean {
  // iOS says it only in a property of its own on some versions.
  if ((navigator as { standalone?: boolean }).standalone === true) return true;
  return ['standalone', 'minimal-ui', 'fullscreen', 'window-controls-overlay'].some(
    (mode) => window.matchMedia(`(display-mode: ${mode})`).matches,
  );
}
