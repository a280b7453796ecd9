import { nationalDigits } from './phone.ts';

export const PIN_LENGTH = 6;

/**
 * The commonest PINs that the rules below allow: paths over the keys, well-known numbers, dates that everybody knows, and
 * patterns of three digits.
 */
const COMMON_PINS = new Set(
  `159753 789456 456123 147258 258369 369258 147852 963852 741852 852456 123321 321123 456654 654456 789987 987789
  147369 963741 741963 258456 159357 357159 753951 951753 357951 753159 951357 123654 321456 123789 987321 654123
  456321 321654 123698 321789 147896 963214 741258 852963 369147 258147 147741 258852 369963 159951 753357 142536
  415263 362514 135790 246810 135791 024680 975310 135246 246135 112358 314159 271828 520131 131420 100200 200100
  170845 170880 010100 311299 010203 102030 203040 908070 121314 131415 141516 151617 161718 171819 181920 192021
  102938 564738 123412 123434 112345 123455 122333 333221 111222 222333 444555 222111 100000 200000 500000 111112
  000001 000007 101112 121110`.split(/\s+/),
);

const isRun = (pin: string, step: 1 | -1): boolean =>
  Array.from(pin).every((digit, index) => index === 0 || Number(digit) === (Number(pin[index - 1]) + step + 10) % 10);

/** 121212, 123123 and 112233. */
const REPEATED = /^(?:(\d\d)\1\1|(\d{3})\2|(\d)\3(\d)\4(\d)\5)$/;

/**
 * Whether a PIN is hard enough to guess for a card that locks after five tries.
 * @param phones of the account, as they are stored
 */
export function isSafePin(pin: string, phones: readonly string[] = []): boolean {
  if (!/^\d{6}$/.test(pin)) return false;
  if (isRun(pin, 1) || isRun(pin, -1) || REPEATED.test(pin) || COMMON_PINS.has(pin)) return false;
  return !phones.some((phone) => nationalDigits(phone).includes(pin));
}
