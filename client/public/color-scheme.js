// Runs before the first paint, so that a chosen colour scheme does not flash the other one. A file, not an inline script: the
// content security policy allows only files.
(() => {
  let chosen = null;
  try {
    chosen = window.localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage may be closed to us; the system's scheme is then right.
  }
  const systemDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : systemDark ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
