import type { AdminAccount } from './account-queries.ts';

/** Passwords that attackers try first, in general and in Indonesia, and those of the examples of this program. */
const COMMON = `
  123456 1234567 12345678 123456789 1234567890 111111 000000 112233 123123 654321 password password1
  password123 passw0rd p@ssw0rd qwerty qwerty123 qwertyuiop 1q2w3e4r abc123 abcd1234 asdfgh asdf1234
  iloveyou letmein welcome monkey dragon sunshine admin123 admin1234 admin12345 administrator
  admin@123 superadmin operator root123 rahasia rahasia123 sandi123 katasandi kata-sandi
  kata-sandi-contoh bismillah bismillah123 indonesia indonesia123 indonesia1945 merdeka merdeka45
  pancasila garuda jakarta bandung sayang sayangku cintaku doraemon persib1933 alhamdulillah
  assalamualaikum semangat
`
  .trim()
  .split(/\s+/);
/** Words of every office of this kind. */
const OFFICE_WORDS = ['pbb', 'pbbkita', 'pajak', 'desa', 'kantor', 'kelurahan', 'admin', 'balaidesa'];
const WORD_MIN = 3;
const OWN_WORDS_MAX = 12;

/**
 * Passwords that a person who knows the office would try: common ones, and words of the account and of the domain with
 * the usual endings. A short list, because each attempt costs a hash.
 */
export function listGuesses(
  { email, name }: Pick<AdminAccount, 'email' | 'name'>,
  domains: readonly string[],
  year: number,
): string[] {
  const words = [email, name, ...domains].flatMap((text) => text.toLowerCase().split(/[^\p{L}\d]+/u));
  const own = [...new Set([name.toLowerCase().replaceAll(/\s+/g, ''), ...words])].filter(
    ({ length }) => length >= WORD_MIN,
  );
  const endings = ['', '1', '123', '1234', '12345', '@123', String(year), String(year - 1)];
  const built = [...new Set([...own.slice(0, OWN_WORDS_MAX), ...OFFICE_WORDS])].flatMap((word) =>
    [word, word.charAt(0).toUpperCase() + word.slice(1)].flatMap((form) => endings.map((ending) => form + ending)),
  );
  return [...new Set([email, ...COMMON, ...built])];
}
