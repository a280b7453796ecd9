import { APP_NAME } from '#shared/texts.ts';

/** What a computer has to be told to run the server by itself, as text; nothing here touches anything. */

export const SERVICE_NAME = 'pbb-kita';
/** Where the unit of the whole computer is. */
export const SYSTEM_UNIT = `/etc/systemd/system/${SERVICE_NAME}.service`;
export const LAUNCHD_LABEL = 'id.pbb-kita.server';
export const TASK_NAME = APP_NAME;

export type ServicePlan = {
  /** Absolute, with its arguments. */
  program: string[];
  dataDir: string;
  /** Other folders that it writes; on disks that come and go. */
  extraWritableDirs: string[];
  /** For the whole computer, from its start on; otherwise for one account. */
  isSystemWide: boolean;
  /** As whom a system-wide one runs; null: as root. */
  user: string | null;
  /** Whether it listens on a port that only root may take. */
  usesPrivilegedPort: boolean;
};

/** Files that are elsewhere for the service would be lost to it. */
const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const escapePercent = (text: string): string => text.replaceAll('%', '%%');
const quoteForSystemd = (text: string): string =>
  `"${escapePercent(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A unit for systemd. It never gives up: a disk that was full may be mended an hour later. */
export function systemdUnit(plan: ServicePlan): string {
  const { program, dataDir, extraWritableDirs, isSystemWide, user } = plan;
  const command = program.map((word) => quoteForSystemd(word).replaceAll('$', '$$$$')).join(' ');
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
    // An account's own manager may not make name spaces everywhere.
    ...(isSystemWide ? sandboxLines(plan, inTmp) : []),
    '',
    '[Install]',
    `WantedBy=${isSystemWide ? 'multi-user.target' : 'default.target'}`,
    '',
  ];
  return lines.join('\n');
}

/** What `ProtectHome=` closes. */
const HOME_FOLDERS = ['/home', '/root', '/run/user'];
const isInHome = (path: string): boolean => HOME_FOLDERS.some((home) => isBelow(path, home));

/**
 * Only the data folder may be named in ReadWritePaths. A name there is bound to the disk that is mounted when the
 * service starts: a stick that is pulled out would be written on to unseen, and the next one never reached. So the
 * system's own folders are closed instead of everything, and where a disk is in a home, homes stay open.
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

/** Whether a unit that was made for other settings keeps the server from writing a folder. */
export const blocksFolder = (unit: string, folder: string): boolean =>
  /^ProtectSystem=strict$/m.test(unit) || (/^ProtectHome=read-only$/m.test(unit) && isInHome(folder));

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
    // Its log is in the data folder; here stands only why it could not start.
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

/** LOCAL SERVICE: an account that every Windows has, without a password and without rights over the computer. */
export const WINDOWS_ACCOUNT = 'S-1-5-19';

/** As Windows' own programs take their arguments apart. */
const quoteWindowsArgument = (word: string): string =>
  `"${word.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;

/**
 * A task for the Windows scheduler. Restarting after a failure is not enough there: it does not count a program that
 * was ended from outside as failed. So the task is also started every minute, which does nothing while it runs.
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
