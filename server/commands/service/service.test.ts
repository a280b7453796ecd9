import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '#server/settings.ts';
import { PROGRAM_FILE } from '#server/testing/program/program.ts';
import { runProgram } from '#server/testing/program/run-program.ts';
import { tempDataDir } from '#server/testing/program/server-process.ts';
import { warnOfRoot } from '../data-folder/drop-privileges.ts';
import { CommandError } from '../terminal/command-errors.ts';
import {
  blocksFolder,
  blocksPrivilegedPort,
  launchdPlist,
  systemdUnit,
  windowsTask,
  type ServicePlan,
} from './service-files.ts';
import { publicHints, requireOpenablePorts } from './public-ports.ts';
import { findInstalledService, createServiceManager, type HostSystem } from './service-managers.ts';

const plan: ServicePlan = {
  program: ['/opt/pbb kita/pbb-kita', 'serve', '--data', '/srv/data "A" & 50%'],
  dataDir: '/srv/data "A" & 50%',
  extraWritableDirs: ['/media/usb'],
  isSystemWide: true,
  user: 'pbb',
  usesPrivilegedPort: false,
};

const RATNA_SID = 'S-1-5-21-1-2-3-1001';

/** A fake operating system that records the calls of its programs. */
function buildHost(platform: NodeJS.Platform, uid: number | null, refuse: (call: string) => boolean = () => false) {
  const root = mkdtempSync(join(tmpdir(), 'pbb-host-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const calls: string[] = [];
  const host: HostSystem = {
    platform,
    uid,
    home: '/home/ratna',
    root,
    run: (program, args) => {
      const call = [program, ...args].join(' ');
      calls.push(call);
      if (refuse(call)) return { ok: false, output: 'Access denied.\n' };
      return { ok: true, output: program === 'whoami' ? `"PC-1\\ratna","${RATNA_SID}"\r\n` : '' };
    },
  };
  return { host, calls, root };
}

describe('systemdUnit', () => {
  it('restarts the program, protects the system, and quotes the paths', () => {
    const unit = systemdUnit(plan).split('\n');
    expect(unit).toEqual(
      expect.arrayContaining([
        String.raw`ExecStart="/opt/pbb kita/pbb-kita" "serve" "--data" "/srv/data \"A\" & 50%%"`,
        'WorkingDirectory=/srv/data "A" & 50%%',
        'User=pbb',
        'Restart=always',
        'UMask=0077',
        'ProtectSystem=full',
        'ProtectHome=read-only',
        // Without the second folder: systemd would keep using a disk that was pulled out.
        String.raw`ReadWritePaths="/srv/data \"A\" & 50%%"`,
        'PrivateTmp=yes',
        'CapabilityBoundingSet=',
        'WantedBy=multi-user.target',
      ]),
    );
  });

  it('leaves home folders writable when the second folder is in one', () => {
    const inHome = systemdUnit({ ...plan, extraWritableDirs: ['/home/ratna/usb'] });
    expect(inHome).not.toMatch(/ProtectHome|\/home\/ratna/);
    const usual = systemdUnit({ ...plan, extraWritableDirs: [] });
    const closed = ['/media/usb', '/mnt', '/home/ratna/usb', '/homestead'].filter((at) => blocksFolder(usual, at));
    expect(closed).toEqual(['/home/ratna/usb']);
    expect(blocksFolder(inHome, '/home/ratna/usb')).toBe(false);
    expect(blocksFolder('[Service]\nProtectSystem=strict\n', '/media/usb')).toBe(true);
  });

  it('makes no sandbox for a single account, whose manager may not create one', () => {
    const unit = systemdUnit({ ...plan, isSystemWide: false, user: null });
    expect(unit).not.toMatch(/^(User|Protect\w+|Private\w+|ReadWritePaths|CapabilityBoundingSet)=/m);
    expect(unit).toContain('WantedBy=default.target');
    expect(unit).toContain('NoNewPrivileges=yes');
  });

  it('allows a privileged port, and a data folder below /tmp', () => {
    const unit = systemdUnit({ ...plan, dataDir: '/tmp/data', usesPrivilegedPort: true });
    // This right and no other of root.
    expect(unit).toMatch(
      /^User=pbb\n[^]*^CapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n/m,
    );
    expect([unit, systemdUnit(plan)].map(blocksPrivilegedPort)).toEqual([false, true]);
    expect(unit).not.toContain('PrivateTmp');
  });
});

describe('launchdPlist and windowsTask', () => {
  it('quote paths and arguments', () => {
    expect(launchdPlist(plan)).toContain('<string>/srv/data &quot;A&quot; &amp; 50%</string>');
    expect(launchdPlist(plan)).toContain('<key>UserName</key>\n  <string>pbb</string>');
    expect(launchdPlist(plan)).toContain('<key>Umask</key>\n  <integer>63</integer>');
    const task = windowsTask({ ...plan, program: ['C:\\PBB Kita\\pbb-kita.exe', 'serve', '--data', 'D:\\A & B\\'] });
    expect(task).toContain('<Command>C:\\PBB Kita\\pbb-kita.exe</Command>');
    expect(task).toContain('<Arguments>&quot;serve&quot; &quot;--data&quot; &quot;D:\\A &amp; B\\\\&quot;</Arguments>');
  });
});

describe('the installation of a service', () => {
  it.each([
    ['root', 0, '/etc/systemd/system/pbb-kita.service', ''],
    ['an account', 1000, '/home/ratna/.config/systemd/user/pbb-kita.service', ' --user'],
  ])('works on Linux for %s', (_name, uid, path, scope) => {
    const { host, calls, root } = buildHost('linux', uid);
    const manager = createServiceManager(host);
    expect(manager.isInstalled()).toBe(false);
    manager.install(plan);
    expect(readFileSync(join(root, path), 'utf8')).toBe(systemdUnit(plan));
    expect(calls).toEqual([
      `systemctl${scope} daemon-reload`,
      `systemctl${scope} enable pbb-kita`,
      `systemctl${scope} restart pbb-kita`,
    ]);
    expect([manager.isInstalled(), manager.isActive()]).toEqual([true, true]);
    manager.uninstall();
    expect(existsSync(join(root, path))).toBe(false);
    expect(calls).toContain(`systemctl${scope} disable --now pbb-kita`);
    expect(manager.hints.some((hint) => hint.includes('enable-linger'))).toBe(uid !== 0);
  });

  it('works on macOS', () => {
    const { host, calls, root } = buildHost('darwin', 501);
    createServiceManager(host).install(plan);
    const file = join(root, '/home/ratna/Library/LaunchAgents/id.pbb-kita.server.plist');
    expect(readFileSync(file, 'utf8')).toBe(launchdPlist(plan));
    expect(calls.at(-1)).toBe(`launchctl bootstrap gui/501 ${file}`);
  });

  it('closes the data folder to other accounts first on Windows, and gives the service account its permissions', () => {
    const { host, calls } = buildHost('win32', null);
    createServiceManager(host).install(plan);
    expect(calls).toEqual([
      'whoami /user /fo csv /nh',
      'icacls /srv/data "A" & 50% /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F ' +
        `*S-1-5-19:(OI)(CI)M *${RATNA_SID}:(OI)(CI)F`,
      'icacls /opt/pbb kita/pbb-kita /grant *S-1-5-19:RX',
      'icacls /media/usb /grant *S-1-5-19:(OI)(CI)M',
      'schtasks /end /tn PBB Kita',
      expect.stringMatching(/^schtasks \/create \/tn PBB Kita \/xml .* \/f$/),
      'schtasks /run /tn PBB Kita',
    ]);
  });

  it('closes the data folder on Windows also when the installing account is unknown', () => {
    const { host, calls } = buildHost('win32', null, (call) => call.startsWith('whoami'));
    createServiceManager(host).install(plan);
    expect(calls[1]).toMatch(/ \/inheritance:r \/grant:r .* \*S-1-5-19:\(OI\)\(CI\)M$/);
  });

  it('warns on Windows when the permissions of the second folder cannot be set', () => {
    const { host, calls } = buildHost('win32', null, (call) => call.startsWith('icacls /media/usb'));
    expect(createServiceManager(host).install(plan)).toEqual([
      expect.stringMatching(/^Hak tulis untuk "\/media\/usb" tidak dapat diatur\. .* service install/),
    ]);
    expect(calls.at(-1)).toBe('schtasks /run /tn PBB Kita');
    const { host: closed } = buildHost('win32', null, (call) => call.startsWith('icacls /srv'));
    expect(() => createServiceManager(closed).install(plan)).toThrow(CommandError);
  });

  it('fails with the output of the program, and on an unknown operating system', () => {
    const { host } = buildHost('win32', null, (call) => call.includes('/create'));
    expect(() => createServiceManager(host).install(plan)).toThrow(/^Gagal: schtasks \/create .*\nAccess denied\.$/);
    expect(() => createServiceManager(buildHost('aix', 0).host)).toThrow(CommandError);
  });
});

describe('stop and start of a service', () => {
  const stopAndStart = (platform: NodeJS.Platform, uid: number | null): string[] => {
    const { host, calls } = buildHost(platform, uid);
    const manager = createServiceManager(host);
    manager.stop();
    manager.start();
    return calls.map((call) => call.replace(host.root, ''));
  };

  it('keep a stopped service from starting again by itself', () => {
    expect(stopAndStart('linux', 0)).toEqual(['systemctl stop pbb-kita', 'systemctl start pbb-kita']);
    expect(stopAndStart('win32', null)).toEqual([
      'schtasks /change /tn PBB Kita /disable',
      'schtasks /end /tn PBB Kita',
      'schtasks /change /tn PBB Kita /enable',
      'schtasks /run /tn PBB Kita',
    ]);
    expect(stopAndStart('darwin', 0)).toEqual([
      'launchctl bootout system/id.pbb-kita.server',
      'launchctl bootout system/id.pbb-kita.server',
      'launchctl bootstrap system /Library/LaunchDaemons/id.pbb-kita.server.plist',
    ]);
  });

  it('find a system-wide service without root, after one of this account', () => {
    const { host, calls } = buildHost('linux', 1000);
    expect(findInstalledService(host).requiresRoot).toBe(false);
    createServiceManager({ ...host, uid: 0 }).install(plan);
    const { manager, requiresRoot } = findInstalledService(host);
    expect([requiresRoot, manager.isInstalled(), manager.isActive()]).toEqual([true, true, true]);
    expect(calls.at(-1)).toBe('systemctl is-active --quiet pbb-kita');
    expect(findInstalledService({ ...host, uid: 0 }).requiresRoot).toBe(false);
    // The service of this account comes first.
    createServiceManager(host).install(plan);
    expect(findInstalledService(host).requiresRoot).toBe(false);
  });
});

describe('a service with a public name', () => {
  const settingsOf = (environment: Record<string, string>) => {
    const result = readSettings({ TLS_DOMAIN: 'pbb.desa.id', HOST: '127.0.0.1', ...environment });
    if (!result.ok) throw new Error(result.problems.join());
    return result.settings;
  };

  it('prints its addresses, and the ports that have to be open', () => {
    const settings = settingsOf({});
    const [address, ...rest] = publicHints(settings, 'win32');
    expect(address).toBe('Dari luar kantor, sesudah sertifikatnya ada: https://pbb.desa.id');
    expect(rest.join()).toMatch(/localport=80,443\. Di router: teruskan porta 80 dan 443 .*doctor --publik$/);
    expect(publicHints(settings, 'linux').join()).toContain('sudo ufw allow 80,443/tcp');
    expect(publicHints(settingsOf({ TLS_PORT: '8443' }), 'darwin').join()).toContain('https://pbb.desa.id:8443');
    expect(publicHints(settingsOf({ PORT: '3000' }), 'linux').join()).toContain(
      'teruskan porta 80 ke porta 3000 dan 443 ',
    );
    expect(publicHints(settingsOf({ TLS_DOMAIN: '' }), 'linux')).toEqual([]);
  });

  it('advises a service to a server that was started as root by hand', () => {
    expect(warnOfRoot(settingsOf({}), 0)).toMatch(/^PERINGATAN: server berjalan sebagai root .* service install$/);
    // A service runs as the owner of its folder; other ports need no root.
    expect(warnOfRoot(settingsOf({}), 1000)).toBeNull();
    expect(warnOfRoot(settingsOf({ PORT: '3000', TLS_PORT: '3443' }), 0)).toBeNull();
  });

  it('installs for one account only when that account may open its ports', async () => {
    await expect(requireOpenablePorts(settingsOf({ PORT: '0', TLS_PORT: '0' }))).resolves.toBeUndefined();
    const refusal = requireOpenablePorts(settingsOf({}), async () => Object.assign(new Error(), { code: 'EACCES' }));
    await expect(refusal).rejects.toThrow(/^Porta 80 dan 443 hanya dapat dibuka layanan .*bukan root\.$/);
    // A port in use is another matter: the start of the server says so.
    const inUse = requireOpenablePorts(settingsOf({}), async () => Object.assign(new Error(), { code: 'EADDRINUSE' }));
    await expect(inUse).resolves.toBeUndefined();
  });
});

describe('service show', () => {
  it('prints the absolute path of the program for each system and creates no file', async () => {
    const dataDir = tempDataDir();
    const runs = await Promise.all(
      ['linux', 'mac', 'windows'].map((name) => runProgram(['service', 'show', '--for', name, '--data', dataDir])),
    );
    for (const { code, stdout, stderr } of runs) {
      expect([code, stderr]).toEqual([0, '']);
      for (const word of [process.execPath, PROGRAM_FILE, dataDir]) expect(stdout).toContain(word);
    }
    expect(existsSync(dataDir)).toBe(false);
  });
});
