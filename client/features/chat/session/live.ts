import type { Presence, Typing, Viewing } from '#shared/chat-events.ts';
import { TYPING_FORGOTTEN_MS } from '#shared/limits.ts';

/** What is true only for the moment: who is here, who types, who looks at what. Nothing of it survives a lost connection. */

export type Person = { id: string; name: string };
type Typist = Person & { untilMs: number };

export type Live = {
  adminOnline: boolean;
  onlineUserIds: ReadonlySet<string>;
  typing: Readonly<Record<string, readonly Typist[]>>;
  viewers: Readonly<Record<string, readonly Person[]>>;
};

export const nobody: Live = { adminOnline: false, onlineUserIds: new Set(), typing: {}, viewers: {} };

export function notePresence(live: Live, presence: Presence): Live {
  if ('admin_online' in presence) return { ...live, adminOnline: presence.admin_online };
  if ('online_user_ids' in presence) return { ...live, onlineUserIds: new Set(presence.online_user_ids) };
  const onlineUserIds = new Set(live.onlineUserIds);
  if (presence.online) onlineUserIds.add(presence.user_id);
  else onlineUserIds.delete(presence.user_id);
  return { ...live, onlineUserIds };
}

export function noteTyping(live: Live, typing: Typing, nowMs: number): Live {
  const others = (live.typing[typing.user_id] ?? []).filter(({ id }) => id !== typing.sender_id);
  const typist = { id: typing.sender_id, name: typing.name, untilMs: nowMs + TYPING_FORGOTTEN_MS };
  return {
    ...live,
    typing: { ...live.typing, [typing.user_id]: typing.typing ? [...others, typist] : others },
  };
}

/** Who has sent their message types no longer. */
export function stopTyping(live: Live, userId: string, senderId: string): Live {
  const typists = live.typing[userId];
  if (!typists?.some(({ id }) => id === senderId)) return live;
  return { ...live, typing: { ...live.typing, [userId]: typists.filter(({ id }) => id !== senderId) } };
}

/** A sign of typing counts for six seconds without a repeat. */
export function forgetTyping(live: Live, nowMs: number): Live {
  const typing: Record<string, readonly Typist[]> = {};
  for (const [userId, typists] of Object.entries(live.typing)) {
    const still = typists.filter(({ untilMs }) => untilMs > nowMs);
    if (still.length > 0) typing[userId] = still;
  }
  return { ...live, typing };
}

export function noteViewing(live: Live, viewing: Viewing): Live {
  return { ...live, viewers: { ...live.viewers, [viewing.user_id]: viewing.viewers } };
}
