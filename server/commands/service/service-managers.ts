import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../terminal/command-errors.ts';
import {
  LAUNCHD_LABEL,
  launchdPlist,
  SERVICE_NAME,
  SYSTEM_UNIT,
  systemdUnit,
  TASK_NAME,
  WINDOWS_ACCOUNT,
  windowsTask,
  type ServicePlan,
} from './service-files.ts';

/** The computer as far as services are concerned; a test has one of its own. */
export type HostSystem = {
  platform: NodeJS.Platform;
  /** null where there is no such number (Windows). */
  uid: number | null;
  home: string;
  /** In front of every path that belongs to the system. */
  root: string;
  run: (program: string, args: string[]) => { ok: boolean; output: string };
};

export type ServiceManager = {
  renderDefinition: (plan: ServicePlan) => string;
  isInstalled: () => boolean;
  isActive: () => boolean;
  /** Puts it there and starts it. @returns lines about what did not work but need not @throws CommandError */
  install: (plan: ServicePlan) => string[];
  /** Of one that is there. @throws CommandError */
  start: () => void;
  /** Until it is started, or the computer is; on Windows until it is started. @throws CommandError */
  stop: () => void;
  /** Stops it and takes it away. @throws CommandError */
  uninstall: () => void;
  /** Lines about what else there is to know or do once it is there. */
  hints: string[];
};

export const PLATFORMS = { linux: 'linux', mac: 'darwin', windows: 'win32' } as const;

/** @throws CommandError where there is no way to run it as a service */
export function createServiceManager(machine: HostSystem): ServiceManager {
  switch (machine.platform) {
    case 'linux':
      return systemd(machine);
    case 'darwin':
      return launchd(machine);
    case 'win32':
      return taskScheduler(machine);
    default:
      throw new CommandError(
        `Sistem ${machine.platform} belum dikenal; jalankan server dengan cara sistem itu sendiri.`,
      );
  }
}

type InstalledService = { manager: ServiceManager; requiresRoot: boolean };

/** The service that is there: one's own, or the whole computer's, which only root may touch. */
export function findInstalledService(machine: HostSystem): InstalledService {
  const manager = createServiceManager(machine);
  const others: InstalledService = { manager: createServiceManager({ ...machine, uid: 0 }), requiresRoot: true };
  const mayBeRoots = machine.uid !== null && machine.uid !== 0 && !manager.isInstalled();
  return mayBeRoots && others.manager.isInstalled() ? others : { manager, requiresRoot: false };
}

/** @throws CommandError with what the system's own tool says */
function runOrThrow(machine: HostSystem, program: string, args: string[]): void {
  const { ok, output } = machine.run(program, args);
  if (!ok) throw new CommandError(`Gagal: ${[program, ...args].join(' ')}\n${output.trim()}`.trim());
}

function writeDefinitionFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    // Whoever wants to may read it: what is secret stands in the data folder.
    chmodSync(file, 0o644);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandError(`Berkas "${file}" tidak dapat ditulis (${code}).`);
  }
}

function systemd(machine: HostSystem): ServiceManager {
  const isSystemWide = machine.uid === 0;
  const scope = isSystemWide ? [] : ['--user'];
  const own = join(machine.home, `.config/systemd/user/${SERVICE_NAME}.service`);
  const file = join(machine.root, isSystemWide ? SYSTEM_UNIT : own);
  const journal = `journalctl ${isSystemWide ? '' : '--user '}-u ${SERVICE_NAME}`;
  return {
    renderDefinition: systemdUnit,
    isInstalled: () => existsSync(file),
    isActive: () => machine.run('systemctl', [...scope, 'is-active', '--quiet', SERVICE_NAME]).ok,
    install(plan) {
      writeDefinitionFile(file, systemdUnit(plan));
      runOrThrow(machine, 'systemctl', [...scope, 'daemon-reload']);
      runOrThrow(machine, 'systemctl', [...scope, 'enable', SERVICE_NAME]);
      runOrThrow(machine, 'systemctl', [...scope, 'restart', SERVICE_NAME]);
      return [];
    },
    start: () => runOrThrow(machine, 'systemctl', [...scope, 'start', SERVICE_NAME]),
    stop: () => runOrThrow(machine, 'systemctl', [...scope, 'stop', SERVICE_NAME]),
    uninstall() {
      runOrThrow(machine, 'systemctl', [...scope, 'disable', '--now', SERVICE_NAME]);
      rmSync(file, { force: true });
      runOrThrow(machine, 'systemctl', [...scope, 'daemon-reload']);
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

function launchd(machine: HostSystem): ServiceManager {
  const isSystemWide = machine.uid === 0;
  const domain = isSystemWide ? 'system' : `gui/${machine.uid}`;
  const folder = isSystemWide ? '/Library/LaunchDaemons' : join(machine.home, 'Library/LaunchAgents');
  const file = join(machine.root, folder, `${LAUNCHD_LABEL}.plist`);
  const target = `${domain}/${LAUNCHD_LABEL}`;
  return {
    renderDefinition: launchdPlist,
    isInstalled: () => existsSync(file),
    isActive: () => /state = running/.test(machine.run('launchctl', ['print', target]).output),
    install(plan) {
      writeDefinitionFile(file, launchdPlist(plan));
      // It may not be there yet.
      machine.run('launchctl', ['bootout', target]);
      runOrThrow(machine, 'launchctl', ['enable', target]);
      runOrThrow(machine, 'launchctl', ['bootstrap', domain, file]);
      return [];
    },
    start() {
      // It may be there already, but between two tries.
      machine.run('launchctl', ['bootout', target]);
      runOrThrow(machine, 'launchctl', ['bootstrap', domain, file]);
    },
    // Whoever is only killed is started again; one that was not there is stopped too.
    stop: () => void machine.run('launchctl', ['bootout', target]),
    uninstall() {
      machine.run('launchctl', ['bootout', target]);
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

function taskScheduler(machine: HostSystem): ServiceManager {
  const query = (...more: string[]) => machine.run('schtasks', ['/query', '/tn', TASK_NAME, ...more]);
  return {
    renderDefinition: windowsTask,
    isInstalled: () => query().ok,
    // "Running" is told in the language of that Windows; its number is the same everywhere.
    isActive: () => {
      const script = `if ((Get-ScheduledTask -TaskName '${TASK_NAME}').State -eq 4) { exit 0 } else { exit 1 }`;
      return machine.run('powershell', ['-NoProfile', '-NonInteractive', '-Command', script]).ok;
    },
    install(plan) {
      const [program = ''] = plan.program;
      const grants: [string, string][] = [
        [plan.dataDir, '(OI)(CI)M'],
        ...plan.program
          .filter((word) => word === program || word.endsWith('js'))
          .map((file): [string, string] => [file, 'RX']),
      ];
      const grantOf = (path: string, right: string): string[] => [path, '/grant', `*${WINDOWS_ACCOUNT}:${right}`];
      for (const [path, right] of grants) runOrThrow(machine, 'icacls', grantOf(path, right));
      // A stick that is not plugged in, or whose format (FAT, exFAT) knows no rights, is no reason to have no service.
      const troubles = plan.extraWritableDirs.flatMap((folder) =>
        machine.run('icacls', grantOf(folder, '(OI)(CI)M')).ok
          ? []
          : [
              `Hak tulis untuk "${folder}" tidak dapat diatur. Bila disknya NTFS, pasang disk itu lalu ulangi service install; FAT32 dan exFAT tidak memerlukannya.`,
            ],
      );
      const folder = mkdtempSync(join(tmpdir(), 'pbb-layanan-'));
      const file = join(folder, 'task.xml');
      try {
        writeFileSync(file, Buffer.from(`\uFEFF${windowsTask(plan)}`, 'utf16le'));
        machine.run('schtasks', ['/end', '/tn', TASK_NAME]);
        runOrThrow(machine, 'schtasks', ['/create', '/tn', TASK_NAME, '/xml', file, '/f']);
        runOrThrow(machine, 'schtasks', ['/run', '/tn', TASK_NAME]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      return troubles;
    },
    start() {
      runOrThrow(machine, 'schtasks', ['/change', '/tn', TASK_NAME, '/enable']);
      runOrThrow(machine, 'schtasks', ['/run', '/tn', TASK_NAME]);
    },
    stop() {
      // It is triggered every minute: ended alone, it would be back within one.
      runOrThrow(machine, 'schtasks', ['/change', '/tn', TASK_NAME, '/disable']);
      machine.run('schtasks', ['/end', '/tn', TASK_NAME]);
    },
    uninstall() {
      machine.run('schtasks', ['/end', '/tn', TASK_NAME]);
      runOrThrow(machine, 'schtasks', ['/delete', '/tn', TASK_NAME, '/f']);
    },
    hints: [
      `Tugas "${TASK_NAME}" ada di Task Scheduler (Penjadwal Tugas).`,
      'Bila Windows Firewall bertanya, izinkan program ini pada jaringan pribadi.',
    ],
  };
}
