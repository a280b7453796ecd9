import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCodeOrText } from '#server/files/atomic.ts';
import { CommandError } from '../terminal/command-errors.ts';
import {
  LAUNCHD_LABEL,
  launchdPlist,
  SERVICE_NAME,
  SYSTEM_UNIT,
  systemdUnit,
  TASK_NAME,
  WINDOWS_ACCOUNT,
  WINDOWS_ADMINISTRATORS,
  WINDOWS_SYSTEM,
  windowsTask,
  type ServicePlan,
} from './service-files.ts';

/** The parts of the operating system that services need; tests pass a fake. */
export type HostSystem = {
  platform: NodeJS.Platform;
  /** null on Windows, which has no user ids. */
  uid: number | null;
  /** null for an account without one. */
  home: string | null;
  /** Prefix of every system path. */
  root: string;
  run: (program: string, args: string[]) => { ok: boolean; output: string };
};

function requireHome({ home }: HostSystem): string {
  if (home !== null) return home;
  throw new CommandError('Pengguna ini tidak punya folder home. Isi HOME, atau jalankan perintah ini dengan sudo.');
}

export type ServiceManager = {
  renderDefinition: (plan: ServicePlan) => string;
  isInstalled: () => boolean;
  isActive: () => boolean;
  /** Installs and starts the service. @returns a line for each optional step that failed @throws CommandError */
  install: (plan: ServicePlan) => string[];
  /** Starts an installed service. @throws CommandError */
  start: () => void;
  /** Stops the service until `start`, or until the computer starts (not on Windows). @throws CommandError */
  stop: () => void;
  /** Stops and removes the service. @throws CommandError */
  uninstall: () => void;
  /** Lines to print after the installation. */
  hints: string[];
};

export const PLATFORMS = { linux: 'linux', mac: 'darwin', windows: 'win32' } as const;

/** @throws CommandError for an operating system that is not supported */
export function createServiceManager(host: HostSystem): ServiceManager {
  switch (host.platform) {
    case 'linux':
      return systemd(host);
    case 'darwin':
      return launchd(host);
    case 'win32':
      return taskScheduler(host);
    default:
      throw new CommandError(`Sistem ${host.platform} belum dikenal; jalankan server dengan cara sistem itu sendiri.`);
  }
}

type InstalledService = { manager: ServiceManager; requiresRoot: boolean };

/** Finds the installed service: that of this account, else the system-wide one, which only root may change. */
export function findInstalledService(host: HostSystem): InstalledService {
  const manager = createServiceManager(host);
  const others: InstalledService = { manager: createServiceManager({ ...host, uid: 0 }), requiresRoot: true };
  const mayBeRoots = host.uid !== null && host.uid !== 0 && !manager.isInstalled();
  return mayBeRoots && others.manager.isInstalled() ? others : { manager, requiresRoot: false };
}

/** @throws CommandError with the output of the program */
function runOrThrow(host: HostSystem, program: string, args: string[]): void {
  const { ok, output } = host.run(program, args);
  if (!ok) throw new CommandError(`Gagal: ${[program, ...args].join(' ')}\n${output.trim()}`.trim());
}

function writeDefinitionFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    // All accounts may read it: secrets are in the data folder only.
    chmodSync(file, 0o644);
  } catch (error) {
    const code = errorCodeOrText(error);
    throw new CommandError(`Berkas "${file}" tidak dapat ditulis (${code}).`);
  }
}

function systemd(host: HostSystem): ServiceManager {
  const isSystemWide = host.uid === 0;
  const scope = isSystemWide ? [] : ['--user'];
  const ownUnit = `.config/systemd/user/${SERVICE_NAME}.service`;
  const file = join(host.root, isSystemWide ? SYSTEM_UNIT : join(requireHome(host), ownUnit));
  const journal = `journalctl ${isSystemWide ? '' : '--user '}-u ${SERVICE_NAME}`;
  return {
    renderDefinition: systemdUnit,
    isInstalled: () => existsSync(file),
    isActive: () => host.run('systemctl', [...scope, 'is-active', '--quiet', SERVICE_NAME]).ok,
    install(plan) {
      writeDefinitionFile(file, systemdUnit(plan));
      runOrThrow(host, 'systemctl', [...scope, 'daemon-reload']);
      runOrThrow(host, 'systemctl', [...scope, 'enable', SERVICE_NAME]);
      runOrThrow(host, 'systemctl', [...scope, 'restart', SERVICE_NAME]);
      return [];
    },
    start: () => runOrThrow(host, 'systemctl', [...scope, 'start', SERVICE_NAME]),
    stop: () => runOrThrow(host, 'systemctl', [...scope, 'stop', SERVICE_NAME]),
    uninstall() {
      runOrThrow(host, 'systemctl', [...scope, 'disable', '--now', SERVICE_NAME]);
      rmSync(file, { force: true });
      runOrThrow(host, 'systemctl', [...scope, 'daemon-reload']);
    },
    hints: [
      `Berkas layanan: ${file}`,
      `Bila tidak mau berjalan, lihat: ${journal}`,
      ...(isSystemWide
        ? []
        : [
            'Agar tetap berjalan saat tidak ada yang masuk (login), jalankan sekali: sudo loginctl enable-linger "$USER"',
          ]),
    ],
  };
}

function launchd(host: HostSystem): ServiceManager {
  const isSystemWide = host.uid === 0;
  const domain = isSystemWide ? 'system' : `gui/${host.uid}`;
  const folder = isSystemWide ? '/Library/LaunchDaemons' : join(requireHome(host), 'Library/LaunchAgents');
  const file = join(host.root, folder, `${LAUNCHD_LABEL}.plist`);
  const target = `${domain}/${LAUNCHD_LABEL}`;
  return {
    renderDefinition: launchdPlist,
    isInstalled: () => existsSync(file),
    isActive: () => /state = running/.test(host.run('launchctl', ['print', target]).output),
    install(plan) {
      writeDefinitionFile(file, launchdPlist(plan));
      // Fails when the service is not loaded; that is no error.
      host.run('launchctl', ['bootout', target]);
      runOrThrow(host, 'launchctl', ['enable', target]);
      runOrThrow(host, 'launchctl', ['bootstrap', domain, file]);
      return [];
    },
    start() {
      // The service may be loaded already, waiting for its next restart.
      host.run('launchctl', ['bootout', target]);
      runOrThrow(host, 'launchctl', ['bootstrap', domain, file]);
    },
    // launchd restarts a killed process, so the service is unloaded; a service that is not loaded is stopped too.
    stop: () => void host.run('launchctl', ['bootout', target]),
    uninstall() {
      host.run('launchctl', ['bootout', target]);
      rmSync(file, { force: true });
    },
    hints: [
      `Berkas layanan: ${file}`,
      ...(isSystemWide
        ? []
        : [
            'Berjalan selama pengguna ini masuk (login). Agar berjalan sejak Mac menyala: sudo … service install --user NAMA',
          ]),
    ],
  };
}

/** The security identifier of the account that runs this program; null when Windows does not say. */
function readOwnSid(host: HostSystem): string | null {
  const { output } = host.run('whoami', ['/user', '/fo', 'csv', '/nh']);
  return /S-1-[\d-]+/.exec(output)?.[0] ?? null;
}

/**
 * Arguments for icacls that close a folder to all other accounts. A new folder below `C:\` inherits write access for every
 * local account. The installing account keeps its access, so that it can still run commands and see the files.
 */
function closeFolder(ownSid: string | null): string[] {
  const rights: [string, string][] = [
    [WINDOWS_SYSTEM, 'F'],
    [WINDOWS_ADMINISTRATORS, 'F'],
    [WINDOWS_ACCOUNT, 'M'],
    ...(ownSid === null ? [] : [[ownSid, 'F'] as [string, string]]),
  ];
  // Files and folders below inherit them: (OI)(CI).
  return ['/inheritance:r', '/grant:r', ...rights.map(([sid, right]) => `*${sid}:(OI)(CI)${right}`)];
}

function taskScheduler(host: HostSystem): ServiceManager {
  const query = (...more: string[]) => host.run('schtasks', ['/query', '/tn', TASK_NAME, ...more]);
  return {
    renderDefinition: windowsTask,
    isInstalled: () => query().ok,
    // The word for "running" depends on the language of Windows; the number of the state does not.
    isActive: () => {
      const script = `if ((Get-ScheduledTask -TaskName '${TASK_NAME}').State -eq 4) { exit 0 } else { exit 1 }`;
      return host.run('powershell', ['-NoProfile', '-NonInteractive', '-Command', script]).ok;
    },
    install(plan) {
      const [program = ''] = plan.program;
      const grantOf = (path: string, right: string): string[] => [path, '/grant', `*${WINDOWS_ACCOUNT}:${right}`];
      runOrThrow(host, 'icacls', [plan.dataDir, ...closeFolder(readOwnSid(host))]);
      for (const file of plan.program.filter((word) => word === program || word.endsWith('js'))) {
        runOrThrow(host, 'icacls', grantOf(file, 'RX'));
      }
      // Not an error: the disk may be disconnected, or its file system (FAT, exFAT) may have no permissions.
      const warnings = plan.extraWritableDirs.flatMap((folder) =>
        host.run('icacls', grantOf(folder, '(OI)(CI)M')).ok
          ? []
          : [
              `Hak tulis untuk "${folder}" tidak dapat diatur. Bila disknya NTFS, pasang disk itu lalu ulangi service install; FAT32 dan exFAT tidak memerlukannya.`,
            ],
      );
      const folder = mkdtempSync(join(tmpdir(), 'pbb-layanan-'));
      const file = join(folder, 'task.xml');
      try {
        writeFileSync(file, Buffer.from(`\uFEFF${windowsTask(plan)}`, 'utf16le'));
        host.run('schtasks', ['/end', '/tn', TASK_NAME]);
        runOrThrow(host, 'schtasks', ['/create', '/tn', TASK_NAME, '/xml', file, '/f']);
        runOrThrow(host, 'schtasks', ['/run', '/tn', TASK_NAME]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      return warnings;
    },
    start() {
      runOrThrow(host, 'schtasks', ['/change', '/tn', TASK_NAME, '/enable']);
      runOrThrow(host, 'schtasks', ['/run', '/tn', TASK_NAME]);
    },
    stop() {
      // The task is triggered every minute, so it must be disabled too.
      runOrThrow(host, 'schtasks', ['/change', '/tn', TASK_NAME, '/disable']);
      host.run('schtasks', ['/end', '/tn', TASK_NAME]);
    },
    uninstall() {
      host.run('schtasks', ['/end', '/tn', TASK_NAME]);
      runOrThrow(host, 'schtasks', ['/delete', '/tn', TASK_NAME, '/f']);
    },
    hints: [
      `Tugas "${TASK_NAME}" ada di Task Scheduler (Penjadwal Tugas).`,
      'Bila Windows Firewall bertanya, izinkan program ini pada jaringan pribadi.',
    ],
  };
}
