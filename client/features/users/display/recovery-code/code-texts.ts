import { showDateTime } from '#client/lib/format.ts';

export type MadeCode = { code: string; url: string; expires_at: string };

/** Matches names that work only on the server's computer; a link with one would not open on another phone. */
const OWN_COMPUTER = /^(?:localhost|127\.|\[::1\])/;

/** The address where a code is typed; null when this page knows none that others can open. */
export const recoverAddress = (page: Pick<Location, 'origin' | 'hostname'>, path: string): string | null =>
  OWN_COMPUTER.test(page.hostname) ? null : page.origin + path;

export const expiryText = ({ expires_at: expiresAt }: MadeCode): string =>
  `Berlaku sampai ${showDateTime(expiresAt)}, untuk satu kali masuk.`;

/** The way to the field for the code, as it is said on the telephone and printed. */
export const wayText = (address: string | null): string =>
  address === null
    ? 'Buka halaman masuk PBB Kita, pilih “Lupa password?”, lalu “Sudah punya kode?”.'
    : `Buka ${address}, ketik kode ini, lalu pilih password baru.`;

/**
 * A link that opens WhatsApp of the admin with a message, which nobody has sent yet. It names no person.
 * @param phone as it is stored
 */
export function whatsappLink(phone: string, made: MadeCode, page: Pick<Location, 'origin' | 'hostname'>): string {
  const text = [
    `Kode masuk PBB Kita: ${made.code}`,
    expiryText(made),
    wayText(recoverAddress(page, made.url)),
    'Jangan berikan kode ini kepada siapa pun.',
  ].join('\n');
  return `https://wa.me/${phone.replace('+', '')}?text=${encodeURIComponent(text)}`;
}
