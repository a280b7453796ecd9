import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useEffect, useEffectEvent } from 'react';
import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { COLUMNS_MAX } from '#shared/limits.ts';
import { ANSWER_HASH } from '#client/paths.ts';
import type { ListFilter } from '../state/model/list-order.ts';

type OnlyFilter = ListFilter['only'];

/** The state of the inbox in the URL, so that reload, back and a shared link lead to the same view. */
export type InboxParams = {
  /** The open conversations from left to right. */
  userIds: readonly string[];
  only: OnlyFilter;
  /** The message at which one of them was opened. */
  message?: OpenedMessage | null;
  /** The search over messages, while it is open. */
  search?: MessageSearchParams | null;
};
export type OpenedMessage = { userId: string; messageId: string };
/** `userId`: only in this conversation. */
export type MessageSearchParams = { q: string; userId: string | null };

const USER_PARAM = 'user';
const BESIDE_PARAM = 'beside';
const SHOW_PARAM = 'show';
const MESSAGE_PARAM = 'pesan';
const SEARCH_PARAM = 'cari';
const SEARCH_IN_PARAM = 'di';

const onlyFilters: readonly OnlyFilter[] = ['all', 'waiting', 'unread', 'snoozed', 'mine'];

function parseOnlyFilter(value: string | null): OnlyFilter {
  // The name in links from before there were other states.
  if (value === 'unanswered') return 'waiting';
  return onlyFilters.find((only) => only === value) ?? 'all';
}

/** Leaves out users that are listed twice or are too many: a link can be edited by hand. */
function normalizeUserIds(userIds: readonly string[]): readonly string[] {
  return [...new Set(userIds)].filter((id) => id !== '').slice(0, COLUMNS_MAX);
}

/** 'user.message': a message alone does not say which of several open conversations it belongs to. */
function parseMessage(value: string | null): OpenedMessage | null {
  const [, userId = '', messageId = ''] = /^(.+)\.(\d{1,16})$/.exec(value ?? '') ?? [];
  return userId === '' ? null : { userId, messageId };
}

function parseSearch(params: URLSearchParams): MessageSearchParams | null {
  const q = params.get(SEARCH_PARAM);
  return q === null ? null : { q, userId: params.get(SEARCH_IN_PARAM) || null };
}

export function readInboxParams(params: URLSearchParams): InboxParams {
  const beside = params.get(BESIDE_PARAM)?.split(',') ?? [];
  return {
    userIds: normalizeUserIds([params.get(USER_PARAM) ?? '', ...beside]),
    only: parseOnlyFilter(params.get(SHOW_PARAM)),
    message: parseMessage(params.get(MESSAGE_PARAM)),
    search: parseSearch(params),
  };
}

/** The search part of the URL: '?user=…&beside=…,…&show=unread', '' for the inbox without parameters. */
export function inboxSearch({ userIds: [first, ...beside], only, message, search }: InboxParams): string {
  const params = new URLSearchParams({
    ...(first === undefined ? {} : { [USER_PARAM]: first }),
    ...(beside.length === 0 ? {} : { [BESIDE_PARAM]: beside.join(',') }),
    ...(only === 'all' ? {} : { [SHOW_PARAM]: only }),
    ...(message ? { [MESSAGE_PARAM]: `${message.userId}.${message.messageId}` } : {}),
    ...(search ? { [SEARCH_PARAM]: search.q } : {}),
    ...(search && search.userId !== null ? { [SEARCH_IN_PARAM]: search.userId } : {}),
  }).toString();
  // A comma needs no escape there, and without one the address can be read.
  return params === '' ? '' : `?${params.replaceAll('%2C', ',')}`;
}

/**
 * `fromList`: the previous entry of the browser's history is the list. `beforeSearch`: it is the inbox without the search that
 * is open here.
 */
type NavigationState = { fromList: boolean; beforeSearch?: boolean };

function readNavigationState(state: unknown): NavigationState {
  if (!isPlainObject(state)) return { fromList: false };
  return { fromList: state['fromList'] === true, beforeSearch: state['beforeSearch'] === true };
}

/** `step`: by a key that moves along the list; `openedAt`: chosen in the search, with the message to show. */
export type OpenOptions = { step?: boolean; openedAt?: OpenedMessage | null };

export function useInboxParams() {
  const [params] = useSearchParams();
  const navigationState = readNavigationState(useLocation().state);
  const navigate = useNavigate();
  const current = readInboxParams(params);

  function navigateTo(next: InboxParams, options: { replace: boolean; state?: NavigationState }): void {
    void navigate({ search: inboxSearch(next) }, { ...options, preventScrollReset: true });
  }

  return {
    ...current,
    /** `step`: moving along the list with the keyboard adds one history entry, not one for each conversation. */
    setUserIds(userIds: readonly string[], { step: byKeyboard = false, openedAt }: OpenOptions = {}): void {
      const isSame =
        openedAt === undefined &&
        userIds.length === current.userIds.length &&
        userIds.every((id, i) => id === current.userIds[i]);
      if (isSame) return;
      const fromList = current.userIds.length === 0;
      const replace = byKeyboard && !fromList;
      navigateTo(
        { userIds, only: current.only, message: openedAt ?? null },
        { replace, state: replace ? navigationState : { fromList } },
      );
    },
    /** Back to the list, by the browser's history if the list is its previous entry. */
    close(): void {
      if (navigationState.fromList) void navigate(-1);
      else navigateTo({ userIds: [], only: current.only }, { replace: true });
    },
    leaveMessage: (): void => navigateTo({ ...current, message: null }, { replace: true, state: navigationState }),
    openSearch: (): void => {
      const state = { ...navigationState, beforeSearch: true };
      if (!current.search) navigateTo({ ...current, search: { q: '', userId: null } }, { replace: false, state });
    },
    setSearch: (search: MessageSearchParams): void =>
      navigateTo({ ...current, search }, { replace: true, state: navigationState }),
    /** Back to where one was. */
    closeSearch: (): void => {
      if (navigationState.beforeSearch) void navigate(-1);
      else navigateTo({ ...current, search: null }, { replace: true, state: navigationState });
    },
    /** The previous history entry still has the old filter, so going back would not lead here. */
    setFilter: (only: OnlyFilter): void => navigateTo({ ...current, only }, { replace: true }),
  };
}

/** Calls `answer` once when the address says that the person pressed a notification to answer (R-PUSH-44). */
export function useAnswerFromUrl(answer: () => void): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const answerOnce = useEffectEvent(answer);
  useEffect(() => {
    if (hash !== ANSWER_HASH) return;
    void navigate(pathname + search, { replace: true, state, preventScrollReset: true });
    answerOnce();
  }, [pathname, search, hash, state, navigate]);
}
