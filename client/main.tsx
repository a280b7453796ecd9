import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import './app/global.css';
import { Providers } from './app/providers.tsx';
import { createAppRouter } from './app/router.tsx';

// zod's faster way of checking builds functions from text, which our content policy refuses and the console reports.
// Set where zod looks for it, because importing its own switch would bring 5 kB of it to the first page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={createAppRouter()} />
    </Providers>
  </StrictMode>,
);
