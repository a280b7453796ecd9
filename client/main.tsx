// Any module may use what this one defines, so it comes first.
import './lib/browser/array-methods.ts';
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import './app/global.css';
import { Providers } from './app/providers.tsx';
import { createAppRouter } from './app/router.tsx';
import { startUpdates } from './app/updates/start-updates.ts';
import { listenToKeys } from './ui/keys/page-keys.ts';

// zod's JIT builds functions from text, which the content security policy refuses and the console reports.
// The option is set by its global name, because importing `z.config` would add 5 kB to the first page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// First of all, so that no dialog hears a key before it.
listenToKeys();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <Providers>
      {/* A transition would be rendered in slices between frames, which a slow phone shows later. */}
      <RouterProvider router={createAppRouter()} useTransitions={false} />
    </Providers>
  </StrictMode>,
);

startUpdates();
