import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { chunkGroups, chunkNames } from '../scripts/client-build/chunks.ts';
import { mantineStyles } from '../scripts/client-build/mantine-styles.ts';
import { productionRouter, smallLibraries } from '../scripts/client-build/small-libraries.ts';
import { serviceWorker } from '../scripts/client-build/service-worker.ts';
import packageJson from '../package.json' with { type: 'json' };

const apiTarget = process.env['API_TARGET'] ?? 'http://127.0.0.1:3000';

const resolvePath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: resolvePath('.'),
  plugins: [smallLibraries, productionRouter, mantineStyles, chunkNames, serviceWorker(), react({ compiler: true })],
  resolve: {
    alias: [{ find: /^(html2canvas|canvg|dompurify)$/, replacement: resolvePath('exports/empty-module.ts') }],
  },
  define: { PBB_VERSION: JSON.stringify(packageJson.version) },
  css: { postcss: resolvePath('..') },
  // Modules, because a worker of one file could not load only the maker that it needs.
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': apiTarget,
      '/uploads': apiTarget,
      '/healthz': apiTarget,
      '/panduan': apiTarget,
      '/socket.io': { target: apiTarget, ws: true },
    },
  },
  build: {
    target: 'es2022',
    outDir: resolvePath('../dist/client'),
    emptyOutDir: true,
    // A data: URI would need a wider content security policy than a file.
    assetsInlineLimit: 0,
    // Older browsers ignore the hint and load the same files when they are imported.
    modulePreload: { polyfill: false },
    // The largest chunk makes PDF files and is loaded on demand. A test of its own limits the first load.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: chunkGroups,
        },
      },
    },
  },
});
