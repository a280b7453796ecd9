import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { APP_NAME } from '#shared/texts.ts';
import type { Settings } from '#server/settings.ts';
import { APP_VERSION, RUNTIME } from '#server/version.ts';
import { parseOptions, requireSettings, say, type Command } from '../command.ts';
import { CommandError } from '../fault.ts';
import { checkData } from './doctor-data.ts';
import { checkSurroundings } from './doctor-surroundings.ts';
import { isServerRunning } from '../running-server.ts';
import { SETTINGS_FILE } from '../settings-file.ts';

/** One thing that was looked at. `todo` says what to do about what is wrong; without it all is well. */
export type Finding = { what: string; todo?: string };

const lineOf = ({ what, todo }: Finding): string =>
  todo === undefined ? `ok      ${what}` : `PERIKSA ${what}. ${todo}`;

/** Looks at everything that an office's server needs, and changes nothing; beside a running server or without one. */
export const doctor: Command = async (args) => {
  const { values } = parseOptions(args, { data: { type: 'string' } });
  say(`${APP_NAME} v${APP_VERSION}, Node ${RUNTIME.node}, ${RUNTIME.platform}`);
  const ignored: string[] = [];
  const settings = settingsOrProblems(values.data, (line) => ignored.push(line));
  if (Array.isArray(settings)) {
    for (const problem of settings) say(lineOf({ what: problem, todo: 'Perbaiki setelan ini lalu ulangi.' }));
    return 1;
  }
  const file = join(settings.dataDir, SETTINGS_FILE);
  const from = existsSync(file) ? `dari ${file}` : `tanpa berkas ${SETTINGS_FILE}`;
  say(lineOf({ what: `setelan dapat dipakai (${from}); folder data: ${settings.dataDir}` }));
  for (const line of ignored) say(lineOf({ what: 'ada setelan yang tidak berlaku', todo: line }));

  const isRunning = isServerRunning(settings.dataDir);
  let troubles = ignored.length;
  // Said one by one as they are found: a large database takes its time.
  for await (const finding of allFindings(settings, isRunning)) {
    if (finding.todo !== undefined) troubles += 1;
    say(lineOf(finding));
  }
  say(troubles === 0 ? 'Semua baik.' : `${troubles} hal perlu diperiksa.`);
  return troubles === 0 ? 0 : 1;
};

async function* allFindings(settings: Settings, isRunning: boolean): AsyncGenerator<Finding> {
  yield* checkData(settings, isRunning);
  yield* checkSurroundings(settings, isRunning);
}

function settingsOrProblems(data: string | undefined, warn: (line: string) => void): Settings | string[] {
  try {
    return requireSettings({ data, warn });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return error.message.split('\n');
  }
}
