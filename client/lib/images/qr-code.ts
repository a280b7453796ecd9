import { queryOptions } from '@tanstack/react-query';

/** The white border that cameras need, in modules. */
const QUIET_ZONE_MODULES = 4;

/** @returns a data URL */
export async function renderQrCode(text: string): Promise<string> {
  // Loaded on demand, because few pages need it.
  const { renderSVG } = await import('uqr');
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: QUIET_ZONE_MODULES }))}`;
}

/** The QR code of a text as a data URL, black on white in every colour scheme: cameras do not read a negative. */
export const qrCodeQuery = (text: string) =>
  queryOptions({ queryKey: ['qr', text], queryFn: () => renderQrCode(text), staleTime: Infinity });
