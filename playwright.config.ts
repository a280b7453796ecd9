import { defineConfig, devices } from '@playwright/test';
import { chromiumLaunch } from './chromium.config.ts';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  // One at a time: three browsers and a server in one test already fill two cores, and what waits for the processor
  // looks like what is broken.
  workers: 1,
  forbidOnly: true,
  // What passes only at the second time is listed as flaky.
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'id-ID',
    timezoneId: 'Asia/Jakarta',
    launchOptions: chromiumLaunch,
    screenshot: 'only-on-failure',
  },
});
