import { createSecretSealing } from '#server/accounts/second-factor/factor-check.ts';
import { verifyPassword } from '#server/accounts/passwords.ts';
import { readSecret } from '#server/db/data-folder/data-folder.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { PASSWORD_MIN_ADMIN_CREATE } from '#shared/limits.ts';
import { DAY_MS } from '#shared/durations.ts';
import { countAccountsSince, listActiveAdmins, listFactors, type AdminAccount } from './account-queries.ts';
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

const NAMED_ACCOUNTS_MAX = 5;

/** Finds second factors that another key has sealed, as after a move from a plain backup: the codes of the app are all wrong (R-ACCESS-66). */
export function checkFactors(installation: Installation): AsyncGenerator<Finding> {
  const secret = installation.settings.jwtSecret ?? readSecret(installation.settings.dataDir);
  return inspectDatabase(installation, async function* (orm) {
    const factors = secret === null ? [] : await listFactors(orm);
    if (secret === null || factors.length === 0) return;
    const sealing = createSecretSealing(secret);
    const closed = factors.filter((factor) => sealing.open(factor.secret, factor.userId) === null);
    yield describeFactorKeys(factors.length, closed);
  });
}

function describeFactorKeys(total: number, closed: readonly { email: string }[]): Finding {
  if (closed.length === 0) return { what: `kunci kode kedua cocok (${total} akun)` };
  const named = closed.slice(0, NAMED_ACCOUNTS_MAX).map(({ email }) => emailText(email));
  const more = closed.length > named.length ? ` dan ${closed.length - named.length} lagi` : '';
  return {
    what: `kode kedua dibuat dengan kunci lain, jadi kode dari HP tidak cocok: ${named.join(', ')}${more}`,
    advice:
      'Pasang kembali berkas "secret" atau JWT_SECRET yang lama. Tidak ada lagi? Mereka masuk dengan kode cadangan dan memasangnya lagi, atau: admin reset-second-factor --email …',
  };
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
