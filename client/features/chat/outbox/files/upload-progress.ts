import { atom } from 'jotai';

/**
 * How far a message with files is, by its `client_id`, as long as this tab sends it. `uploading`: 0 to 100 percent of all its
 * files; `sending`: they are at the server, the message itself is on its way.
 */
export type UploadProgress = { kind: 'uploading'; percent: number } | { kind: 'sending' };

export const uploadProgressAtom = atom<Readonly<Record<string, UploadProgress>>>({});
