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
/** A browser is there after 3 s, also beside seven others. */
const SESSION_TIMEOUT_MS = 20_000;
const STARTS = 3;
/** The end of what the driver and its browser print, in characters, for an error. */
const OUTPUT_LENGTH = 2_000;

/** One command of W3C WebDriver. */
async function command<T>(
  url: string,
  method: 'GET' | 'POST' | 'DELETE',
  body?: object,
  timeoutMs = COMMAND_TIMEOUT_MS,
): Promise<T> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
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

/** Ends a driver together with its browser. */
async function stopGroup(driver: ChildProcess): Promise<void> {
  if (driver.pid === undefined || driver.exitCode !== null || driver.signalCode !== null) return;
  process.kill(-driver.pid, 'SIGKILL');
  await once(driver, 'exit');
}

/**
 * A browser with a driver of its own: one that is still ending the last browser may not answer for the next one. The driver
 * frees the port on which its browser is to listen, and waits without end if that does not come about. A browser that does
 * not begin is no failure of a page, so it is started again, and the output says so.
 */
async function openBrowser(programs: { driver: string; browser: string }, display: string): Promise<Driver> {
  for (let start = 1; ; start += 1) {
    try {
      return await startBrowser(programs, display);
    } catch (error) {
      if (start === STARTS) throw error;
      console.warn(`WebKit did not start (${start} of ${STARTS}), once more:`, error);
    }
  }
}

async function startBrowser(
  { driver, browser }: { driver: string; browser: string },
  display: string,
): Promise<Driver> {
  const port = await freePort();
  const server = spawn(driver, [`--port=${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    // Without a GPU and without a message bus.
    env: { ...process.env, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-OUTPUT_LENGTH)));
  }
  const driverUrl = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(driverUrl);
    const session = await openSession(driverUrl, browser);
    return {
      ...session,
      close: async () => {
        await session.close();
        await stopGroup(server);
      },
    };
  } catch (error) {
    await stopGroup(server);
    throw new Error(`no session of WebKit; the driver and the browser printed: ${output || 'nothing'}`, {
      cause: error,
    });
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
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } };
  const opened = command<{ sessionId: string }>(`${driverUrl}/session`, 'POST', { capabilities }, SESSION_TIMEOUT_MS);
  const { sessionId } = await opened;
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
