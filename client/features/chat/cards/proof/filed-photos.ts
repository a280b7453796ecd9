import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { onErasePrivateData } from '#client/lib/private-data.ts';
import type { Message } from '#shared/api/chat.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { conversationsAtom } from '../../session/state.ts';

/** The tax years of the records whose proof a photo became on this page, by the id of the photo. */
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

/** The tax year of the record whose proof a photo became, here or by anybody else; undefined while that is not known. */
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
