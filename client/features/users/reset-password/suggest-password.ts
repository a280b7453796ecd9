/** No letters that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** Bytes from here on would make the first letters likelier than the last. */
const UNBIASED_LIMIT = 256 - (256 % ALPHABET.length);

function pickLetter(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  return byte < UNBIASED_LIMIT ? ALPHABET.charAt(byte % ALPHABET.length) : pickLetter();
}

/** A password to be read aloud and typed on a phone, as `6jfr-3gra-dsjy`; 59 bits. Works on plain http too. */
export function suggestPassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, pickLetter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
