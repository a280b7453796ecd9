import type { ConnectionOrTransaction } from '#server/db/open.ts';
import { verifyPassword } from '#server/accounts/passwords.ts';
import { PASSWORD_MIN_ADMIN_CREATE } from '#shared/limits.ts';
import { DAY_MS } from '#shared/durations.ts';
import { countAccountsSince, listActiveAdmins, type AdminAccount } from './account-queries.ts';
import { inspectDatabase } from './check-database.ts';
import type { Finding, Installation } from './check.ts';
import { listGuesses } from './guessable-passwords.ts';

const RECENT_DAYS = 7;
/** More new accounts in a week come from a program, or from an event that the office knows of. */
const NEW_ACCOUNTS_MANY = 500;
/** The number of hashes that run at once (`server/accounts/passwords.ts`). */
const GUESSES_AT_ONCE = 2;

/** Finds admins whose password is easy to guess, or is the one in the settings. */
export function checkAdmins(installation: Installation): AsyncGenerator<Finding> {
  return inspectDatabase(installation, (orm) => checkPasswords(orm, installation));
}

async function* checkPasswords(
  orm: ConnectionOrTransaction,
  { settings, computer }: Installation,
): AsyncGenerator<Finding> {
  const admins = await listActiveAdmins(orm);
  yield { what: `administrator aktif: ${admins.map(({ email }) => email).join(', ')}` };
  const domains = settings.tls.public?.domains ?? [];
  const year = new Date(computer.now()).getUTCFullYear();
  const weak: string[] = [];
  for (const admin of admins) {
    const given = settings.admin.password;
    if (given !== null && (await hasPassword(admin, given))) {
      yield {
        what: `ADMIN_PASSWORD masih password ${admin.email}, dan dapat dibaca di setelan`,
        advice: 'Ganti password itu di Akun Saya, lalu hapus ADMIN_PASSWORD dari setelan.env.',
      };
    }
    if (await isGuessable(admin, listGuesses(admin, domains, year))) weak.push(admin.email);
  }
  yield describeFactors(
    admins.filter(({ factorSince }) => factorSince === null),
    settings.adminsNeedFactor,
  );
  yield weak.length === 0
    ? { what: 'password administrator tidak termasuk yang dicoba orang lebih dulu' }
    : {
        what: `password administrator mudah ditebak: ${weak.join(', ')}`,
        advice: 'Ganti sekarang: Akun Saya, atau admin reset-password --email …; kosongkan agar dibuatkan.',
      };
}

/** The ways to one are in the handbook; an office may do without, unless it asks for them. */
function describeFactors(without: readonly AdminAccount[], isRequired: boolean): Finding {
  if (without.length === 0) return { what: 'semua administrator memakai kode kedua' };
  const what = `administrator tanpa kode kedua: ${without.map(({ email }) => email).join(', ')}`;
  return isRequired ? { what, advice: 'Buat kode pemasangannya: admin second-factor-code --email …' } : { what };
}

async function isGuessable(admin: AdminAccount, guesses: readonly string[]): Promise<boolean> {
  const possible = guesses.filter(({ length }) => length >= PASSWORD_MIN_ADMIN_CREATE);
  for (let at = 0; at < possible.length; at += GUESSES_AT_ONCE) {
    const some = possible.slice(at, at + GUESSES_AT_ONCE);
    const found = await Promise.all(some.map((guess) => hasPassword(admin, guess)));
    if (found.includes(true)) return true;
  }
  return false;
}

/** @returns false for a hash that cannot be read: no password fits it */
async function hasPassword({ passwordHash }: AdminAccount, password: string): Promise<boolean> {
  return verifyPassword(password, passwordHash).catch(() => false);
}

/** Every visitor may make an account (R-AUTH); on a public server that is every person in the world. */
export function checkRegistrations(installation: Installation): AsyncGenerator<Finding> {
  const sinceMs = installation.computer.now() - RECENT_DAYS * DAY_MS;
  return inspectDatabase(installation, async function* (orm) {
    yield describeRegistrations(await countAccountsSince(orm, sinceMs));
  });
}

function describeRegistrations(total: number): Finding {
  const what = `siapa pun dapat mendaftar; akun baru dalam ${RECENT_DAYS} hari: ${total}`;
  if (total < NEW_ACCOUNTS_MANY) return { what };
  return { what, advice: 'Lihat Kelola Users: bila bukan warga, nonaktifkan akun-akun itu.' };
}
