import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { findWebKit } from './installed-browsers.mjs';
import { type Driver, type Engine, WINDOW } from './driver.ts';

/** The key under which WebDriver puts the id of an element (W3C WebDriver, section 12). */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf';
const START_TIMEOUT_MS = 30_000;
const COMMAND_TIMEOUT_MS = 45_000;

/** One command of W3C WebDriver. */
async function command<T>(url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS),
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  }).catch((error: unknown) => {
    throw new Error(`WebKitWebDriver: no answer to ${method} ${new URL(url).pathname}`, { cause: error });
  });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`WebKitWebDriver: ${value.error}: ${value.message}`);
  return value;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return address.port;
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill();
  await once(program, 'exit');
}

/** Debian's WebKitGTK over WebDriver, on a screen in memory. */
export async function startWebKit(): Promise<Engine> {
  const programs = findWebKit();
  if (!programs) throw new Error('webkit2gtk-driver or xvfb is not installed');
  const screen = spawn(programs.screen, ['-displayfd', '1', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // It chooses a free display and prints its number.
  const [display] = (await once(createInterface({ input: screen.stdout }), 'line')) as [string];
  return {
    open: () => openBrowser(programs, display),
    close: () => stop(screen),
  };
}

/** Each browser has a driver of its own: one that is still ending the last browser may not answer for the next one. */
async function openBrowser({ driver, browser }: { driver: string; browser: string }, display: string): Promise<Driver> {
  const port = await freePort();
  const server = spawn(driver, [`--port=${port}`], {
    stdio: 'ignore',
    // Without a GPU and without a message bus.
    env: { ...process.env, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
  });
  const driverUrl = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(driverUrl);
    const session = await openSession(driverUrl, browser);
    return {
      ...session,
      close: async () => {
        await session.close();
        await stop(server);
      },
    };
  } catch (error) {
    await stop(server);
    throw error;
  }
}

async function waitUntilReady(driverUrl: string): Promise<void> {
  const endsAtMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await command(`${driverUrl}/status`, 'GET');
      return;
    } catch (error) {
      if (Date.now() > endsAtMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function openSession(driverUrl: string, binary: string): Promise<Driver> {
  const { sessionId } = await command<{ sessionId: string }>(`${driverUrl}/session`, 'POST', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } },
    },
  });
  const session = `${driverUrl}/session/${sessionId}`;
  const find = async (selector: string): Promise<string> => {
    const found = await command<Record<string, string>>(`${session}/element`, 'POST', {
      using: 'css selector',
      value: selector,
    });
    return `${session}/element/${found[ELEMENT_KEY]}`;
  };
  const type = async (selector: string, text: string): Promise<void> => {
    await command(`${await find(selector)}/value`, 'POST', { text });
  };
  await command(`${session}/window/rect`, 'POST', WINDOW);
  return {
    goto: (url) => command(`${session}/url`, 'POST', { url }),
    run: (fn, ...args) =>
      command(`${session}/execute/sync`, 'POST', { script: `return (${fn.toString()}).apply(null, arguments)`, args }),
    click: async (selector) => command(`${await find(selector)}/click`, 'POST'),
    type,
    chooseFile: type,
    close: () => command(session, 'DELETE'),
  };
}
