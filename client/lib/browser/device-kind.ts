/** The kind of device and browser, for words that differ between them. Features of a browser are tested directly. */
export type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** An iPad says that it is a Mac, and no Mac has a touch screen. */
export const isAppleTouch = ({ userAgent, maxTouchPoints }: Device): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);

export const isAndroid = ({ userAgent }: Device): boolean => userAgent.includes('Android');

export const isFirefox = ({ userAgent }: Device): boolean => userAgent.includes('Firefox/');

export const isMacSafari = ({ userAgent }: Device): boolean =>
  /Macintosh/.test(userAgent) && /Safari\//.test(userAgent) && !/Chrom|Edg|OPR|Firefox/.test(userAgent);

/** Pages that other apps show in themselves: WhatsApp, Facebook and Instagram open links that way. */
export const isInsideOtherApp = ({ userAgent }: Device): boolean =>
  /FBA[NV]|Instagram|WhatsApp|TikTok|\bLine\/|; wv\)|GSA\//.test(userAgent);
