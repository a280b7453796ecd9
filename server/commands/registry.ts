import { accept } from './accept/accept.ts';
import { admin } from './admin/admin.ts';
import { backup } from './backup/backup.ts';
import { type Command } from './terminal/command.ts';
import { UsageError } from './terminal/command-errors.ts';
import { doctor } from './doctor/doctor.ts';
import { help, version, type CommandName } from './help.ts';
import { pindah } from './pindah/pindah.ts';
import { restore } from './backup/restore.ts';
import { serve } from './serve/serve.ts';
import { service } from './service/service.ts';

/** Every command by its name; `serve` is the default. */
const commands: Record<CommandName, Command> = {
  serve,
  backup,
  restore,
  accept,
  pindah,
  admin,
  doctor,
  service,
  version,
  help,
};
const commandsByName = new Map<string, Command>(Object.entries(commands));

/** Words that many programs understand. */
const aliases: Record<string, string> = {
  bantuan: 'help',
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

const asksForHelp = (words: string[]): boolean => words.includes('--help') || words.includes('-h');

/**
 * @param words the words after the program's name
 * @returns the command and the words that are left for it
 * @throws UsageError when there is no such command
 */
export function chooseCommand(words: string[]): { command: Command; args: string[] } {
  const [first = '', ...rest] = words;
  const named = Object.hasOwn(aliases, first) ? aliases[first] : undefined;
  // Options without a command belong to `serve`.
  const isServing = named === undefined && (first === '' || first.startsWith('-'));
  const name = named ?? (isServing ? 'serve' : first);
  const command = commandsByName.get(name);
  if (!command) throw new UsageError(`Perintah "${first}" tidak dikenal.`);
  const args = isServing ? words : rest;
  return asksForHelp(args) ? { command: help, args: name === 'help' ? [] : [name] } : { command, args };
}
