/** Without letters that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** Larger bytes are discarded, because they would make the first letters more likely. */
const UNBIASED_LIMIT = 256 - (256 % ALPHABET.length);

function pickLetter(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  return byte < UNBIASED_LIMIT ? ALPHABET.charAt(byte % ALPHABET.length) : pickLetter();
}

/** A password that is easy to read aloud and to type, such as `6jfr-3gra-dsjy`: 59 bits. Works on plain http too. */
export function suggestPassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, pickLetter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
