import { readFileSync } from 'node:fs';
import { APP_NAME } from '#shared/labels.ts';

/** The texts of the service definitions for Linux, macOS and Windows. Nothing here changes the computer. */

export const SERVICE_NAME = 'pbb-kita';
/** The path of the system-wide unit. */
export const SYSTEM_UNIT = `/etc/systemd/system/${SERVICE_NAME}.service`;
export const LAUNCHD_LABEL = 'id.pbb-kita.server';
export const TASK_NAME = APP_NAME;

export type ServicePlan = {
  /** Absolute path, with arguments. */
  program: string[];
  dataDir: string;
  /** Other folders that the server writes; their disks may be disconnected. */
  extraWritableDirs: string[];
  /** Starts with the computer; otherwise with the login of one account. */
  isSystemWide: boolean;
  /** The account of a system-wide service; null: root. */
  user: string | null;
  /** Whether the server listens on a port that only root may open. */
  usesPrivilegedPort: boolean;
};

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const escapePercent = (text: string): string => text.replaceAll('%', '%%');
const quoteForSystemd = (text: string): string =>
  `"${escapePercent(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A unit for systemd. It restarts without limit: a full disk may have space again an hour later. */
export function systemdUnit(plan: ServicePlan): string {
  const { program, dataDir, extraWritableDirs, isSystemWide, user } = plan;
  const command = program.map((word) => quoteForSystemd(word).replaceAll('$', '$$$$')).join(' ');
  // With PrivateTmp the service would see another, empty folder.
  const inTmp = [...program, dataDir, ...extraWritableDirs].some(
    (path) => isBelow(path, '/tmp') || isBelow(path, '/var/tmp'),
  );
  const lines = [
    '[Unit]',
    `Description=${APP_NAME}`,
    ...(isSystemWide ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${command}`,
    `WorkingDirectory=${escapePercent(dataDir)}`,
    ...(user === null ? [] : [`User=${user}`]),
    'Restart=always',
    'RestartSec=5',
    'TimeoutStopSec=15',
    'LimitNOFILE=65536',
    'UMask=0077',
    'NoNewPrivileges=yes',
    'RestrictSUIDSGID=yes',
    'RestrictRealtime=yes',
    'LockPersonality=yes',
    'SystemCallArchitectures=native',
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
    // The manager of an account may not create namespaces on every system.
    ...(isSystemWide ? sandboxLines(plan, inTmp) : []),
    '',
    '[Install]',
    `WantedBy=${isSystemWide ? 'multi-user.target' : 'default.target'}`,
    '',
  ];
  return lines.join('\n');
}

/** The folders that `ProtectHome=` protects. */
const HOME_FOLDERS = ['/home', '/root', '/run/user'];
const isInHome = (path: string): boolean => HOME_FOLDERS.some((home) => isBelow(path, home));

/**
 * Only the data folder may be in ReadWritePaths: systemd binds such a path to the disk that is mounted at the start. A
 * USB stick that is pulled out would still be written to, and the next one would never be reached. So only the system
 * folders are protected, and the home folders too unless a second folder is below them.
 */
function sandboxLines({ dataDir, extraWritableDirs, usesPrivilegedPort }: ServicePlan, inTmp: boolean): string[] {
  const capabilities = usesPrivilegedPort ? 'CAP_NET_BIND_SERVICE' : '';
  return [
    'ProtectSystem=full',
    `ReadWritePaths=${quoteForSystemd(dataDir)}`,
    ...(extraWritableDirs.some(isInHome) ? [] : ['ProtectHome=read-only']),
    ...(inTmp ? [] : ['PrivateTmp=yes']),
    'PrivateDevices=yes',
    'ProtectKernelTunables=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelLogs=yes',
    'ProtectControlGroups=yes',
    'ProtectClock=yes',
    'ProtectHostname=yes',
    'RestrictNamespaces=yes',
    `CapabilityBoundingSet=${capabilities}`,
    `AmbientCapabilities=${capabilities}`,
  ];
}

/** Whether an installed unit, made with other settings, keeps the server from writing a folder. */
export const blocksFolder = (unit: string, folder: string): boolean =>
  /^ProtectSystem=strict$/m.test(unit) || (/^ProtectHome=read-only$/m.test(unit) && isInHome(folder));

/** Whether an installed unit, made with other settings, keeps the server from opening a port below 1024. */
export const blocksPrivilegedPort = (unit: string): boolean =>
  !/^AmbientCapabilities=.*\bCAP_NET_BIND_SERVICE\b/m.test(unit);

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const UMASK = 0o077;

/** A property list for launchd. */
export function launchdPlist({ program, dataDir, isSystemWide, user }: ServicePlan): string {
  const text = (value: string): string => `<string>${escapeXml(value)}</string>`;
  const pairs: [key: string, value: string][] = [
    ['Label', text(LAUNCHD_LABEL)],
    ['ProgramArguments', `<array>${program.map(text).join('')}</array>`],
    ['WorkingDirectory', text(dataDir)],
    ...(isSystemWide && user !== null ? [['UserName', text(user)] as [string, string]] : []),
    ['RunAtLoad', '<true/>'],
    ['KeepAlive', '<true/>'],
    ['ThrottleInterval', '<integer>5</integer>'],
    ['ExitTimeOut', '<integer>15</integer>'],
    ['ProcessType', text('Interactive')],
    ['Umask', `<integer>${UMASK}</integer>`],
    // The log is in the data folder; this file only gets start-up errors.
    ['StandardErrorPath', text(`${dataDir}/logs/service.err`)],
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...pairs.map(([key, value]) => `  <key>${key}</key>\n  ${value}`),
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

/** LOCAL SERVICE: an account of every Windows, without a password and without administrator rights. */
export const WINDOWS_ACCOUNT = 'S-1-5-19';
export const WINDOWS_SYSTEM = 'S-1-5-18';
export const WINDOWS_ADMINISTRATORS = 'S-1-5-32-544';

/** Quotes a word by the rules by which Windows programs split their command line. */
const quoteWindowsArgument = (word: string): string =>
  `"${word.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;

/**
 * A task for the Windows scheduler. RestartOnFailure is not enough: a program that was ended from outside does not
 * count as failed. So the task is also started every minute, which has no effect while it runs.
 */
export function windowsTask({ program, dataDir }: ServicePlan): string {
  const [file = '', ...words] = program;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(`${APP_NAME}: server`)}</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Repetition>
        <Interval>PT1M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <Enabled>true</Enabled>
    </BootTrigger>
    <TimeTrigger>
      <Repetition>
        <Interval>PT1M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>2025-01-01T00:00:00</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${WINDOWS_ACCOUNT}</UserId>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <IdleSettings>
      <StopOnIdleEnd>false</StopOnIdleEnd>
      <RestartOnIdle>false</RestartOnIdle>
    </IdleSettings>
    <Enabled>true</Enabled>
    <Hidden>false</Hidden>
    <RunOnlyIfIdle>false</RunOnlyIfIdle>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(file)}</Command>
      <Arguments>${escapeXml(words.map(quoteWindowsArgument).join(' '))}</Arguments>
      <WorkingDirectory>${escapeXml(dataDir)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** Whether the installed unit of this computer is so; false when there is none. */
export function isInstalledUnit(test: (unit: string) => boolean): boolean {
  try {
    return test(readFileSync(SYSTEM_UNIT, 'utf8'));
  } catch {
    return false;
  }
}
