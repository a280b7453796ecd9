import { queryOptions } from '@tanstack/react-query';

/** Modules of white around it that a camera needs. */
const QUIET_ZONE_MODULES = 4;

/** @returns a picture's address */
async function renderQrCode(text: string): Promise<string> {
  // Only this page draws one.
  const { renderSVG } = await import('uqr');
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: QUIET_ZONE_MODULES }))}`;
}

/** The QR code of a text as a picture, black on white in every colour scheme: a camera reads no negative. */
export const qrCodeQuery = (text: string) =>
  queryOptions({ queryKey: ['qr', text], queryFn: () => renderQrCode(text), staleTime: Infinity });
