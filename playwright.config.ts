import { defineConfig, devices } from '@playwright/test';
import { chromiumLaunch, wholeChromiumLaunch } from './chromium.config.ts';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  // Each worker has a browser and a server of its own, so a test shares its data with no test that runs beside it.
  // Two workers, because two cores are the smallest machine, and a test spends half of its time waiting.
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'id-ID',
    timezoneId: 'Asia/Jakarta',
    screenshot: 'only-on-failure',
    // Nothing moves away below the pointer of a test, and nothing is measured on its way.
    reducedMotion: 'reduce',
    // A service worker answers requests that a test wants to see; the tests in e2e/app are about it.
    serviceWorkers: 'block',
  },
  projects: [
    // First, because it has the longest test: at the end the other worker would wait for it.
    {
      name: 'app',
      testMatch: 'app/**/*.e2e.ts',
      use: { launchOptions: wholeChromiumLaunch, serviceWorkers: 'allow' },
    },
    { name: 'pages', testIgnore: 'app/**', use: { launchOptions: chromiumLaunch } },
  ],
});
