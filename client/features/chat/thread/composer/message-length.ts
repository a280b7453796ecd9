import { MESSAGE_MAX } from '#shared/limits.ts';

/** Unicode code points, as the server counts. */
export const lengthOf = (text: string): number => Array.from(text.trim()).length;
export const isTextSendable = (text: string): boolean => lengthOf(text) > 0 && lengthOf(text) <= MESSAGE_MAX;
