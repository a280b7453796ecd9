import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

type Machine = { files: Set<string>; osRelease: string; isOnline: boolean; hasSudo: boolean; commands: string[] };
let machine: Machine;

/** The files that apt puts on the disk. */
const filesOfPackage: Record<string, string[]> = {
  'firefox-esr': ['/bin/firefox-esr'],
  'webkit2gtk-driver': ['/bin/WebKitWebDriver', '/usr/lib', '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'],
  xvfb: ['/bin/Xvfb'],
  nginx: ['/usr/sbin/nginx'],
};

vi.mock('node:fs', () => ({
  existsSync: (path: string) => [...machine.files].some((file) => file === path || file.startsWith(`${path}/`)),
  readFileSync: () => machine.osRelease,
  readdirSync: (path: string) =>
    [...machine.files]
      .filter((file) => file.startsWith(`${path}/`))
      .map((file) => file.slice(path.length + 1).split('/')[0]),
}));
vi.mock('node:child_process', () => ({
  spawn: vi.fn(),
  spawnSync(program: string, args: string[]) {
    const command = [program, ...args].join(' ');
    machine.commands.push(command);
    if (command === 'sudo -n true') return { status: machine.hasSudo ? 0 : 1 };
    if (!command.includes('apt-get')) return { status: 0, stdout: '' };
    if (!machine.isOnline) return { status: 100 };
    if (args.includes('install')) {
      for (const name of args) for (const file of filesOfPackage[name] ?? []) machine.files.add(file);
    }
    return { status: 0 };
  },
}));

/** A Debian whose user is root, with all programs of the tests but Firefox and WebKit. */
beforeEach(() => {
  const programs = ['apt-get', 'chromium', 'nginx', 'openssl', 'pebble'].map((name) => `/bin/${name}`);
  machine = {
    files: new Set([...programs, '/etc/os-release']),
    osRelease: 'NAME="Debian GNU/Linux"\nID=debian\n',
    isOnline: true,
    hasSudo: false,
    commands: [],
  };
});

/** @returns what it ends with, and the engines that the tests then run */
async function ensurePrograms({ isRoot = true } = {}) {
  vi.stubEnv('PATH', '/bin');
  vi.stubEnv('CHROMIUM_PATH', undefined);
  const uid = vi.spyOn(process, 'getuid').mockReturnValue(isRoot ? 0 : 1000);
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    for (const spy of [uid, output, exit]) spy.mockRestore();
  });
  vi.resetModules();
  const { ensureTestPrograms } = await import('./test-prerequisites.mjs');
  const { otherBrowsers } = await import('../e2e/browsers/installed-browsers.mjs');
  let end = 'ready';
  try {
    ensureTestPrograms();
  } catch (error) {
    end = String(error);
  }
  return {
    end,
    engines: otherBrowsers.filter(({ isInstalled }) => isInstalled()).map(({ engine }) => engine),
    output: output.mock.calls.map(([text]) => String(text)).join(''),
    installs: machine.commands.filter((command) => command.includes('apt-get install')),
  };
}

const INSTALL = 'env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends';
const ALL = 'firefox-esr webkit2gtk-driver xvfb';

it.each([
  ['as root', { isRoot: true }, `${INSTALL} ${ALL}`],
  ['by sudo without a password', { isRoot: false }, `sudo -n ${INSTALL} ${ALL}`],
])('installs Firefox and WebKit on Debian %s', async (_how, user, command) => {
  machine.hasSudo = !user.isRoot;
  expect(await ensurePrograms(user)).toMatchObject({
    end: 'ready',
    engines: ['Firefox', 'WebKit'],
    installs: [command],
  });
});

it('ends the run when Debian cannot install a browser, and names it', async () => {
  machine.isOnline = false;
  const { end, output } = await ensurePrograms();
  expect(end).toBe('Error: exit 1');
  expect(output).toContain('Firefox tidak dapat dipasang (apt-get install firefox-esr).');
});

it('ends the run when one of the two is still missing after the installation', async () => {
  const { xvfb } = filesOfPackage;
  delete filesOfPackage['xvfb'];
  onTestFinished(() => void Object.assign(filesOfPackage, { xvfb }));
  const { end, output } = await ensurePrograms();
  expect(end).toBe('Error: exit 1');
  expect(output).toContain('WebKit tidak dapat dipasang (apt-get install webkit2gtk-driver xvfb).');
});

it.each([
  ['without root and sudo', () => undefined, { isRoot: false }],
  ['on Ubuntu', () => (machine.osRelease = 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n'), { isRoot: true }],
  [
    'on a computer without apt',
    () => ['/bin/apt-get', '/etc/os-release'].map((file) => machine.files.delete(file)),
    {},
  ],
])('goes on %s and says which browsers are not tested', async (_where, change, user) => {
  change();
  expect(await ensurePrograms(user)).toEqual({
    end: 'ready',
    engines: [],
    output:
      'Tanpa pengujian di Firefox: butuh firefox-esr (paket Debian).\nTanpa pengujian di WebKit: butuh webkit2gtk-driver xvfb (paket Debian).\n',
    installs: [],
  });
});

it('does not run apt where everything is installed', async () => {
  for (const file of Object.values(filesOfPackage).flat()) machine.files.add(file);
  machine.isOnline = false;
  expect(await ensurePrograms()).toEqual({ end: 'ready', engines: ['Firefox', 'WebKit'], output: '', installs: [] });
});

it('installs nginx where it is missing, and goes on without it where nothing can be installed', async () => {
  for (const name of ['firefox-esr', 'webkit2gtk-driver', 'xvfb'])
    for (const file of filesOfPackage[name] ?? []) machine.files.add(file);
  machine.files.delete('/bin/nginx');
  expect(await ensurePrograms({ isRoot: false })).toMatchObject({
    end: 'ready',
    output: 'Tanpa pengujian di belakang nginx: butuh nginx (paket Debian).\n',
    installs: [],
  });
  expect(await ensurePrograms()).toMatchObject({ end: 'ready', installs: [`${INSTALL} nginx`] });
});
