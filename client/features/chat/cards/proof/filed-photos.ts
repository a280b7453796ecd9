import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { onErasePrivateData } from '#client/lib/private-data.ts';
import type { Message } from '#shared/api/chat.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { conversationsAtom } from '../../session/state.ts';

/** By the id of a photo that became a proof on this page: the tax year of the record. */
const filedAtom = atom<Readonly<Record<string, number>>>({});
const store = getDefaultStore();

onErasePrivateData(() => store.set(filedAtom, {}));

export function rememberFiled(attachmentId: string, year: number): void {
  store.set(filedAtom, { ...store.get(filedAtom), [attachmentId]: year });
}

/** What the newest notice about a message says; it does not name one of several photos. */
function yearInNotices(message: Message, messages: readonly Message[]): number | undefined {
  if (message.attachments.filter(({ type }) => isPhoto(type)).length !== 1) return undefined;
  const notice = messages.findLast(({ kind, reply_to: about }) => kind === 'notice' && about === message._id);
  return notice?.record?.then.year;
}

/** The tax year of the record that has the photo as its proof, also if another client did it; undefined if none is known. */
export function useFiledYear(attachmentId: string, message: Message): number | undefined {
  return useAtomValue(
    useMemo(
      () =>
        atom(
          (get) =>
            get(filedAtom)[attachmentId] ??
            yearInNotices(message, get(conversationsAtom)[message.user_id]?.messages ?? []),
        ),
      [attachmentId, message],
    ),
  );
}
