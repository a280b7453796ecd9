// Runs before everything else: sets the colours before the first paint, and asks early for what the opened page needs.
// It is a file because the content security policy allows no inline script.
(() => {
  // The code behind /pulih# or /masuk# belongs to an account: it leaves address and history first (client/lib/session/code-of-address.ts).
  const takeCode = () => {
    const { pathname, search, hash } = window.location;
    if (!hash || !/^\/(?:pulih|masuk)\/?$/i.test(pathname)) return;
    window.pbbCode = hash.slice(1);
    window.history.replaceState(window.history.state, '', pathname + search);
    window.dispatchEvent(new Event('pbb-code'));
  };
  takeCode();
  // In a tab that shows the page already, too.
  window.addEventListener('popstate', takeCode);

  const read = (key) => {
    try {
      return window.localStorage.getItem(key);
    } catch {
      // Without access to the storage, the scheme of the operating system is used and nothing is asked for early.
      return null;
    }
  };

  const chosen = read('mantine-color-scheme-value');
  const systemDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : systemDark ? 'dark' : 'light';
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', scheme);

  // The bar above an installed app has the colour of its header, also where that was chosen and the device has another.
  const paintBar = () => {
    const colour = root.getAttribute('data-mantine-color-scheme') === 'dark' ? '#161b1e' : '#ffffff';
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = colour;
  };
  paintBar();
  new MutationObserver(paintBar).observe(root, { attributeFilter: ['data-mantine-color-scheme'] });

  // Comes once, maybe before the app; our own button offers it later (client/features/install/install-prompt.ts).
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    window.pbbInstallPrompt = event;
  });

  // Code of this page is gone: the server was replaced while the page came from elsewhere. It is opened anew, but not for ever.
  window.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLScriptElement)) return;
      try {
        // As in client/app/pages/chunk-load-error.ts.
        const key = 'pbb-reloaded-at';
        if (Date.now() - Number(window.sessionStorage.getItem(key)) < 60_000) return;
        window.sessionStorage.setItem(key, String(Date.now()));
      } catch {
        return;
      }
      window.location.reload();
    },
    true,
  );

  const token = read('token');
  const user = read('user') ?? '';
  // Until a new password is chosen, the calls would be refused.
  if (!token || user.includes('"must_change_password":true')) return;

  const { pathname, search } = window.location;
  const isHome = pathname === '/';
  const isAdmin = isHome ? /"is_admin":true/.test(user) : pathname.startsWith('/admin');
  const area = isAdmin ? 'admin' : 'user';
  const pages = {
    '/dashboard': {
      calls: ['/auth/user', '/tax-records/statistics', '/tax-records?limit=5&page=1'],
    },
    '/tax-records': { chunks: ['lists'], calls: ['/auth/user', '/tax-records'] },
  };
  const { chunks = [], calls = [] } = pages[isHome && !isAdmin ? '/dashboard' : pathname] ?? {};

  // Only wide screens show the menu at once.
  const hasSideMenu = window.matchMedia('(min-width: 62em)').matches;
  for (const name of [area, ...(hasSideMenu ? ['menu'] : []), ...chunks]) {
    const files = document.querySelector(`meta[name="chunk-${name}"]`)?.content.split(' ') ?? [];
    for (const href of files) {
      const isStyle = href.endsWith('.css');
      const link = document.createElement('link');
      Object.assign(link, isStyle ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' }, {
        crossOrigin: '',
        href,
      });
      document.head.append(link);
    }
  }

  // An address with parameters may ask for another page of a list.
  if (search) return;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const answers = new Map();
  for (const call of calls) {
    const abort = new AbortController();
    const answer = fetch(`/api${call}`, { headers, signal: abort.signal });
    // client/lib/early-answers.ts repeats a call that failed, and reports it.
    answer.catch(() => {});
    answers.set(`/api${call}`, { answer, abort: () => abort.abort() });
  }
  window.pbbEarlyAnswers = { token, answers, askedAtMs: performance.now() };
})();
