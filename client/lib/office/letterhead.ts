import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import { APP_NAME } from '#shared/labels.ts';

/** The head of every paper and file. */
export type Letterhead = {
  /** Of the office, or of the product while the office has none. */
  name: string;
  /** A description of the product; null when name and address already say whose paper it is. */
  serviceLine: string | null;
  /** Address, and numbers; each on one line. */
  addressLines: string[];
  logoUrl: string | null;
};

/** Such a name is written smaller, so that it takes two lines and not three. */
export const isLongName = (name: string): boolean => name.length > 50;

const SERVICE_LINE = 'Layanan Data Pajak Bumi dan Bangunan';

/** The head of papers and files (docs/requirements.md R-OFFICE-26). */
export function letterheadOf({ name, address, phone, whatsapp, logo_url }: OfficeIdentity): Letterhead {
  const numbers = [phone && `Telepon ${phone}`, whatsapp && `WhatsApp ${whatsapp}`].filter(Boolean).join(' · ');
  const addressLines = [address.split(/\s*\n\s*/).join(', '), numbers].filter(Boolean);
  return {
    name: name || APP_NAME,
    serviceLine: name === '' || addressLines.length === 0 ? SERVICE_LINE : null,
    addressLines,
    logoUrl: logo_url,
  };
}
