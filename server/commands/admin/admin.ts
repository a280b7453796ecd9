import type { z } from 'zod';
import { registerBody } from '#shared/api/auth.ts';
import { anyEmail, email as emailField, personName } from '#shared/api/fields.ts';
import { fieldTexts } from '#shared/texts.ts';
import { createFirstAdmin } from '#server/features/auth/first-admin.ts';
import { readInstallationState } from '#server/db/data-folder/installation-state.ts';
import { generatePassword } from '#server/accounts/passwords.ts';
import type { Settings } from '#server/settings.ts';
import {
  createAdministrator,
  listAdmins,
  makeSetupCode,
  removeSecondFactor,
  requireAccount,
  requireFreeEmail,
  resetPassword,
} from './accounts.ts';
import { parseOptions, printLine, type Command } from '../terminal/command.ts';
import { requireSettings } from '../data-folder/command-settings.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { requireExistingData } from '../data-folder/default-data-dir.ts';
import { withCommandContext } from '../data-folder/command-context.ts';
import { printFirstAdmin, printPasswordOnce } from '../terminal/password-lines.ts';
import { ask, askHidden, isInteractive, readFirstLine } from '../terminal/prompt.ts';

type AdminOptions = { email?: string | undefined; name?: string | undefined; 'password-stdin'?: boolean | undefined };

const ACTIONS = ['create', 'reset-password', 'reset-second-factor', 'second-factor-code'] as const;

const nameField = personName(fieldTexts.nameRequired);
const passwordField = registerBody.shape.password;

/** Creates administrators and resets passwords, beside a running server or without one. */
export const admin: Command = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    {
      email: { type: 'string' },
      name: { type: 'string' },
      'password-stdin': { type: 'boolean' },
      data: { type: 'string' },
    },
    1,
  );
  const [action] = positionals;
  const settings = requireSettings({ data: values.data });
  switch (action) {
    case 'create':
      await create(settings, values);
      return 0;
    case 'reset-password':
      if (values.name !== undefined) throw new UsageError('Pilihan "--name" tidak dipakai oleh admin reset-password.');
      await reset(settings, values);
      return 0;
    case 'reset-second-factor':
      await endSecondFactor(settings, values);
      return 0;
    case 'second-factor-code':
      await printSetupCode(settings, values);
      return 0;
    case 'first':
      await createFirst(settings);
      return 0;
    case undefined:
      throw new UsageError(`Sesudah "admin": ${ACTIONS.slice(0, -1).join(', ')}, atau ${ACTIONS.at(-1)}.`);
    default:
      throw new UsageError(`"admin ${action}" tidak dikenal; yang ada: ${ACTIONS.join(', ')}.`);
  }
};

async function create(office: Settings, given: AdminOptions): Promise<void> {
  // Only the first start of the server makes a data folder: an account in a wrong folder would be useless.
  if (!office.postgres) requireExistingData(office.dataDir);
  const email = requireValid(emailField(), given.email ?? (await askOrRequireOption('Email: ', '--email')));
  const askedName = given.name ?? (given.email === undefined ? await ask('Nama [Administrator]: ') : '');
  const name = requireValid(nameField, askedName.trim() || 'Administrator');
  // Checked before the question for a password, during which the database must not stay open.
  await withCommandContext(office, async ({ orm }) => requireFreeEmail(orm, email));
  const { password, isGenerated } = await choosePassword(given);
  await withCommandContext(office, (context) => createAdministrator(context, { email, name, password }));
  printLine(`Administrator dibuat: ${name} <${email}>`);
  if (isGenerated) printPasswordOnce(password);
}

/** Finds the account of a command: that of `--email`, else an administrator. @returns its address */
async function chooseAccount(office: Settings, given: AdminOptions): Promise<string> {
  if (!office.postgres) requireExistingData(office.dataDir);
  const email =
    given.email === undefined
      ? await chooseAdmin(office)
      : requireValid(anyEmail(fieldTexts.emailRequired), given.email);
  const { name } = await withCommandContext(office, async ({ orm }) => requireAccount(orm, email));
  if (given.email === undefined) printLine(`Akun: ${name} <${email}>`);
  return email;
}

/** Takes the second factor away: a way back for an administrator with a lost phone (R-ACCESS-72). */
async function endSecondFactor(settings: Settings, given: AdminOptions): Promise<void> {
  const email = await chooseAccount(settings, given);
  const { user, ended } = await withCommandContext(settings, (context) => removeSecondFactor(context, email));
  printLine(`Kode kedua ${user.name} <${email}> dihapus; ${ended} sesi diakhiri.`);
  printLine('Sekarang masuk cukup dengan password. Pasang lagi: Akun Saya, "Pasang kode kedua".');
}

/** Prints the code with which an administrator may set up a second factor (R-ACCESS-70). */
async function printSetupCode(settings: Settings, given: AdminOptions): Promise<void> {
  const email = await chooseAccount(settings, given);
  const operatingMs = Math.floor(readInstallationState(settings.dataDir)?.operatingMs ?? 0);
  const code = await withCommandContext(settings, (context) => makeSetupCode(context, email, operatingMs));
  printLine(`Kode pemasangan untuk <${email}> (hanya ditampilkan sekali ini, berlaku 24 jam): ${code}`);
  printLine('Diketik saat memasang kode kedua; hanya ditanyakan dengan REQUIRE_ADMIN_SECOND_FACTOR=on.');
}

async function reset(settings: Settings, given: AdminOptions): Promise<void> {
  const email = await chooseAccount(settings, given);
  const { password, isGenerated } = await choosePassword(given);
  const { user, ended } = await withCommandContext(settings, (context) => resetPassword(context, { email, password }));
  printLine(`Password baru disimpan untuk ${user.name} <${email}>; ${ended} sesi diakhiri.`);
  if (isGenerated) printPasswordOnce(password);
  if (!user.isActive) {
    printLine(
      'Akun ini tidak aktif, jadi belum dapat masuk: aktifkan dulu lewat halaman Kelola Users oleh administrator lain.',
    );
  }
}

/** Makes the first administrator like the server does; `service install` calls it to keep the password out of the log. */
async function createFirst(settings: Settings): Promise<void> {
  printFirstAdmin(await withCommandContext(settings, (context) => createFirstAdmin(context, settings.admin)));
}

/** Chooses the account without `--email`: the only administrator, or the answer to a question. */
async function chooseAdmin(office: Settings): Promise<string> {
  const admins = await withCommandContext(office, async ({ orm }) => listAdmins(orm));
  const [only, second] = admins;
  if (!only) throw new CommandError('Belum ada administrator. Untuk membuatnya: admin create');
  if (!second) return only.email;
  const list = admins.map(({ name, email }) => `  ${name} <${email}>`).join('\n');
  if (!isInteractive())
    throw new UsageError(`Ada beberapa administrator; sebutkan yang dimaksud dengan --email:\n${list}`);
  printLine(`Administrator:\n${list}`);
  return requireValid(emailField(), await ask('Email: '));
}

async function askOrRequireOption(question: string, option: string): Promise<string> {
  if (!isInteractive()) throw new UsageError(`Pilihan "${option}" diperlukan.`);
  return ask(question);
}

async function choosePassword(given: AdminOptions): Promise<{ password: string; isGenerated: boolean }> {
  if (given['password-stdin'] === true) {
    return { password: requireValid(passwordField, await readFirstLine()), isGenerated: false };
  }
  if (!isInteractive()) return { password: generatePassword(), isGenerated: true };
  for (;;) {
    const password = await askHidden('Password baru (kosongkan untuk dibuatkan): ');
    if (password === '') return { password: generatePassword(), isGenerated: true };
    const { error } = passwordField.safeParse(password);
    if (error) printLine(error.issues[0]?.message ?? fieldTexts.passwordRequired);
    else if ((await askHidden('Sekali lagi: ')) === password) return { password, isGenerated: false };
    else printLine(fieldTexts.confirmationDiffers);
  }
}

function requireValid(field: z.ZodType<string>, given: string): string {
  const { data, error } = field.safeParse(given);
  if (data === undefined) throw new CommandError(error.issues[0]?.message ?? `Nilai "${given}" tidak dapat dipakai.`);
  return data;
}
