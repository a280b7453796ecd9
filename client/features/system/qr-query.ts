import { queryOptions } from '@tanstack/react-query';

/** Modules of white around it that a camera needs. */
const QUIET = 4;

/** @returns a picture's address */
async function draw(text: string): Promise<string> {
  // Only this page draws one.
  const { renderSVG } = await import('uqr');
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: QUIET }))}`;
}

/** The QR code of a text as a picture, black on white in every colour scheme: a camera reads no negative. */
export const qrQuery = (text: string) =>
  queryOptions({ queryKey: ['qr', text], queryFn: () => draw(text), staleTime: Infinity });
