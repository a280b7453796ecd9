import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { APP_NAME } from '#shared/labels.ts';
import type { Settings } from '#server/settings.ts';
import { APP_VERSION, RUNTIME } from '#server/process/version.ts';
import { parseOptions, printLine, type Command } from '../terminal/command.ts';
import { requireSettings } from '../data-folder/command-settings.ts';
import { CommandError } from '../terminal/command-errors.ts';
import type { Finding } from './check.ts';
import { officeChecks, publicChecks, runChecks, usualChecks } from './checks.ts';
import { listListeners } from './listeners.ts';
import { thisComputer } from './server-computer.ts';
import { isServerRunning } from '../data-folder/running-server.ts';
import { SETTINGS_FILE } from '../data-folder/settings-file.ts';

function formatFinding({ what, advice, hint }: Finding): string {
  if (advice !== undefined) return `PERIKSA ${what}. ${advice}`;
  return hint === undefined ? `ok      ${what}` : `catatan ${what}. ${hint}`;
}

/** Checks everything that the server needs and changes nothing, beside a running server or without one (R-RUN-14). */
export const doctor: Command = async (args) => {
  const { values } = parseOptions(args, { data: { type: 'string' }, publik: { type: 'boolean' } });
  // Before the rights of root are dropped: only root sees the programs of other accounts.
  const listeners = values.publik ? listListeners(thisComputer) : null;
  printLine(`${APP_NAME} v${APP_VERSION}, Node ${RUNTIME.node}, ${RUNTIME.platform}`);
  const ignored: string[] = [];
  const settings = settingsOrProblems(values.data, (line) => ignored.push(line));
  if (Array.isArray(settings)) {
    for (const problem of settings)
      printLine(formatFinding({ what: problem, advice: 'Perbaiki setelan ini lalu ulangi.' }));
    return 1;
  }
  const file = join(settings.dataDir, SETTINGS_FILE);
  const from = existsSync(file) ? `dari ${file}` : `tanpa berkas ${SETTINGS_FILE}`;
  printLine(formatFinding({ what: `setelan dapat dipakai (${from}); folder data: ${settings.dataDir}` }));
  for (const line of ignored) printLine(formatFinding({ what: 'ada setelan yang tidak berlaku', advice: line }));

  const isRunning = isServerRunning(settings.dataDir);
  const checks = [...usualChecks, ...(values.publik ? publicChecks : officeChecks)];
  let problemCount = ignored.length;
  for await (const finding of runChecks(checks, { settings, isRunning, computer: thisComputer, listeners })) {
    if (finding.advice !== undefined) problemCount += 1;
    printLine(formatFinding(finding));
  }
  printLine(problemCount === 0 ? 'Semua baik.' : `${problemCount} hal perlu diperiksa.`);
  return problemCount === 0 ? 0 : 1;
};

function settingsOrProblems(data: string | undefined, warn: (line: string) => void): Settings | string[] {
  try {
    return requireSettings({ data, warn });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return error.message.split('\n');
  }
}
