import { atom, getDefaultStore } from 'jotai';
import { v4 as newId } from 'uuid';
import { ATTACHMENTS_PER_MESSAGE_MAX } from '#shared/limits.ts';
import { onErasePrivateData } from '#client/lib/session/private-data.ts';
import { draftFiles } from '../../drafts/draft-files.ts';
import { attachTexts } from './attach-texts.ts';
import { prepareFile } from './prepare-file.ts';

/** A chosen file that is being read and made smaller. */
export type PreparingFile = { id: string; name: string; type: string; bytes: number; url: string | null };

/** The progress of the files chosen for one draft, also while another conversation is on the screen. */
export type DraftActivity = { preparing: readonly PreparingFile[]; refusals: readonly string[]; announcement: string };

export const idleActivity: DraftActivity = { preparing: [], refusals: [], announcement: '' };

/** By the account and the conversation's user. */
export const draftActivitiesAtom = atom<Readonly<Record<string, DraftActivity>>>({});

export const activityKeyOf = (currentUserId: string, userId: string): string => `${currentUserId}:${userId}`;

/** Counts sign-outs. Files that were chosen before the last one are dropped. */
let erasures = 0;
onErasePrivateData(() => {
  erasures += 1;
  getDefaultStore().set(draftActivitiesAtom, {});
});

function changeActivity(key: string, change: (activity: DraftActivity) => Partial<DraftActivity>): void {
  const store = getDefaultStore();
  const all = store.get(draftActivitiesAtom);
  const activity = all[key] ?? idleActivity;
  store.set(draftActivitiesAtom, { ...all, [key]: { ...activity, ...change(activity) } });
}

/** One file after the other, over all conversations: a large photo needs the memory of a phone for itself. */
let queue: Promise<void> = Promise.resolve();

/** Attaches files to the draft of a conversation, in the order in which they were chosen. */
export function attachFiles(currentUserId: string, userId: string, chosen: readonly File[]): void {
  const key = activityKeyOf(currentUserId, userId);
  const draft = draftFiles(currentUserId, userId);
  const { preparing = [] } = getDefaultStore().get(draftActivitiesAtom)[key] ?? {};
  const room = Math.max(0, ATTACHMENTS_PER_MESSAGE_MAX - draft.list().length - preparing.length);
  const left = chosen.slice(room);
  const erasuresBefore = erasures;
  const isErased = (): boolean => erasures !== erasuresBefore;
  const added = chosen.slice(0, room).map((file) => ({
    file,
    tile: {
      id: newId(),
      name: file.name,
      type: file.type,
      bytes: file.size,
      url: file.type.startsWith('image/') ? URL.createObjectURL(file) : null,
    },
  }));
  changeActivity(key, (activity) => ({
    preparing: [...activity.preparing, ...added.map(({ tile }) => tile)],
    refusals: left.length > 0 ? [attachTexts.tooMany(left.map(({ name }) => name))] : [],
    announcement: '',
  }));

  async function attach(file: File, { id, url }: PreparingFile): Promise<void> {
    const done = (change: (activity: DraftActivity) => Partial<DraftActivity>): void => {
      if (url !== null) URL.revokeObjectURL(url);
      if (isErased()) return;
      changeActivity(key, (activity) => ({
        preparing: activity.preparing.filter((tile) => tile.id !== id),
        ...change(activity),
      }));
    };
    try {
      const prepared = isErased() ? null : await prepareFile(file);
      // After a sign-out nothing of this account may be stored any more. A session that only ended keeps its draft.
      if (prepared === null || isErased()) {
        done(() => ({}));
        return;
      }
      if (typeof prepared === 'string') {
        done(({ refusals }) => ({ refusals: [...refusals, prepared] }));
        return;
      }
      await draft.add(prepared, id);
      if (isErased()) draft.remove(id);
      const count = draft.list().length;
      done(() => ({
        announcement: `${prepared.file.name} dilampirkan. ${count} dari ${ATTACHMENTS_PER_MESSAGE_MAX} berkas.`,
      }));
    } catch (error) {
      console.warn('A chosen file could not be read', error);
      done(({ refusals }) => ({ refusals: [...refusals, attachTexts.unreadable(file.name)] }));
    }
  }
  for (const { file, tile } of added) queue = queue.then(() => attach(file, tile));
}

export const dismissRefusals = (key: string): void => changeActivity(key, () => ({ refusals: [] }));
export const announce = (key: string, announcement: string): void => changeActivity(key, () => ({ announcement }));
