import { Button, VisuallyHidden } from '@mantine/core';
import { IconArrowUp, IconDots } from '@tabler/icons-react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useAtomValue } from 'jotai';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { NoteForMe } from '#shared/api/chat/inbox.ts';
import { describeDraft } from '../../drafts/describe-draft.ts';
import { presenceAtom } from '#client/realtime/connection-state.ts';
import { ephemeralStateAtom } from '../../state/selectors.ts';
import { ConversationRow } from './conversation-row.tsx';
import classes from './list.module.css';
import { RowMenu, type RowMenuRequest } from './row-menu.tsx';
import { rowPeople } from './row-people.ts';
import type { RowSelection } from './use-row-selection.ts';
import { useHeldOrder } from './use-held-order.ts';
import { rowUserIdOf, useRowPress } from './use-row-press.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';

const ROW_REM = 4.5;
const OVERSCAN = 6;
/** The next page is requested so many rows before the end, so that it arrives in time. */
const LOAD_MORE_ROWS = 25;

export type ListHandle = {
  /** Scrolls a conversation into view and focuses its row; without an id the first row. */
  focusRow: (userId: string | null) => void;
  /**
   * The user of the row above (-1) or below (1) the selected one, if there is one; without a selection of the last or first row.
   * `skipped`: rows to pass by.
   */
  neighbour: (step: -1 | 1, skipped?: readonly string[]) => string | undefined;
};

const noNotes: readonly NoteForMe[] = [];

export type ConversationListProps = {
  summaries: readonly ConversationSummary[];
  currentUserId: string;
  selectedId: string | null;
  /** All conversations that are open, the selected one too. */
  openIds: readonly string[];
  /** Whether arrow keys open the row that they reach, or only focus it. */
  opensOnArrow: boolean;
  linkTargetOf: (userId: string) => { search: string };
  onOpen: (userId: string, how: 'press' | 'arrow') => void;
  /** Beside the conversations that are open. */
  onOpenBeside: (userId: string) => void;
  selection: RowSelection;
  canLoadMore: boolean;
  onLoadMore: () => void;
  /** Conversations with a colleague's note for this admin. */
  notesForMe?: readonly NoteForMe[];
  /** Below the last row: loading or error. */
  children?: ReactNode;
  handle: Ref<ListHandle>;
};

function rowHeightPx(): number {
  return ROW_REM * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}

/** The list of conversations. Only visible rows are in the page, because there may be thousands. */
export function ConversationList({
  summaries: liveSummaries,
  currentUserId,
  selectedId,
  openIds,
  opensOnArrow,
  linkTargetOf,
  onOpen,
  onOpenBeside,
  selection,
  canLoadMore,
  onLoadMore,
  notesForMe = noNotes,
  children,
  handle,
}: ConversationListProps) {
  // The virtualizer is one object that mutates; values that the compiler memoizes from it would never change.
  'use no memo';
  const scroller = useRef<HTMLDivElement>(null);
  const ephemeralState = useAtomValue(ephemeralStateAtom);
  const { onlineUserIds } = useAtomValue(presenceAtom);
  const [rowPx] = useState(rowHeightPx);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const pendingFocusId = useRef<string | null>(null);
  const goesToTop = useRef(false);
  const [menu, setMenu] = useState<RowMenuRequest | null>(null);

  const { shown: summaries, movedUpCount, showLatest, handlers } = useHeldOrder(liveSummaries);
  const order = useMemo(() => summaries.map(({ other_user }) => other_user._id), [summaries]);
  const activeId = focusedId !== null && order.includes(focusedId) ? focusedId : selectedId;
  const activeIndex = activeId === null ? -1 : order.indexOf(activeId);

  const virtualizer = useVirtualizer({
    count: summaries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => order[index] ?? index,
    overscan: OVERSCAN,
    // The focused row stays in the page, or the focus would be lost with it.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return focusedId === null || activeIndex === -1 ? indexes : [...new Set([...indexes, activeIndex])];
    },
    useFlushSync: false,
  });
  const getScrollTop = () => scroller.current?.scrollTop ?? 0;
  const scrollBy = (px: number) => {
    if (scroller.current) scroller.current.scrollTop += px;
  };
  useScrollAnchor({ getScrollTop, scrollBy }, order, rowPx);

  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (canLoadMore && lastIndex >= summaries.length - LOAD_MORE_ROWS) onLoadMore();
  }, [lastIndex, summaries.length, canLoadMore, onLoadMore]);

  function focusRow(userId: string): void {
    const index = order.indexOf(userId);
    if (index === -1) return;
    pendingFocusId.current = userId;
    setFocusedId(userId);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  }

  // The row may only now have been added to the page.
  useLayoutEffect(() => {
    if (goesToTop.current && scroller.current) scroller.current.scrollTop = 0;
    goesToTop.current = false;
    if (pendingFocusId.current === null) return;
    const rows = scroller.current?.querySelectorAll<HTMLElement>('[data-user-id]') ?? [];
    const row = [...rows].find(({ dataset }) => dataset['userId'] === pendingFocusId.current);
    if (!row) return;
    pendingFocusId.current = null;
    row.focus({ preventScroll: true });
  });

  useImperativeHandle(handle, () => ({
    focusRow: (userId) => {
      const target = userId ?? order[0];
      if (target !== undefined) focusRow(target);
    },
    neighbour: (step, skipped = []) => {
      const index = selectedId === null ? -1 : order.indexOf(selectedId);
      // Without a selection, or when its row is not loaded yet, the list is entered at one of its ends.
      if (index === -1) return order.at(step === 1 ? 0 : -1);
      let next = index + step;
      while (skipped.includes(order[next] ?? '')) next += step;
      return order[next];
    },
  }));

  // Selected elsewhere: by a link, a notification or from the message field. Its row may come only with a later page.
  const revealedId = useRef<string | null>(null);
  const selectedIndex = selectedId === null ? -1 : order.indexOf(selectedId);
  useEffect(() => {
    if (selectedId === null) revealedId.current = null;
    // Only once: when other rows move, the scroll position stays.
    if (selectedIndex === -1 || revealedId.current === selectedId) return;
    revealedId.current = selectedId;
    virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
    // eslint-disable-next-line react/exhaustive-deps
  }, [selectedId, selectedIndex]);

  const toggle = (userId: string, range: boolean): void => selection.toggle(userId, { range, shown: order });
  const press = useRowPress({
    selecting: selection.isOn,
    onOpen: (userId) => onOpen(userId, 'press'),
    onToggle: toggle,
    onMenu: (userId, at) => setMenu({ userId, ...at }),
  });

  function onKeyDown(event: KeyboardEvent): void {
    const rowUserId = rowUserIdOf(event.target);
    if (rowUserId === null) return;
    const hasCommandKey = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && hasCommandKey) {
      // Of itself, the browser would open the link in a new tab.
      event.preventDefault();
      onOpenBeside(rowUserId);
      return;
    }
    const isSelectKey = event.key.toLowerCase() === 'x' && !hasCommandKey && !event.altKey;
    if (isSelectKey || (event.key === ' ' && (event.ctrlKey || selection.isOn))) {
      event.preventDefault();
      toggle(rowUserId, event.shiftKey);
      return;
    }
    const target = targetIndexOf(event, activeIndex, order.length);
    const userId = target === null ? undefined : order[target];
    if (userId === undefined) return;
    event.preventDefault();
    focusRow(userId);
    if (opensOnArrow && !selection.isOn) onOpen(userId, 'arrow');
  }

  function onBlur(event: FocusEvent): void {
    if (!scroller.current?.contains(event.relatedTarget)) setFocusedId(null);
  }

  function showNewestRows(): void {
    const newestId = liveSummaries[0]?.other_user._id ?? null;
    showLatest();
    goesToTop.current = true;
    // The button goes; the focus must not be lost with it.
    pendingFocusId.current = newestId;
    setFocusedId(newestId);
  }

  const tabbableId = activeIndex === -1 ? order[0] : activeId;
  return (
    <div className={classes['list']} {...handlers}>
      {movedUpCount > 0 ? (
        <Button
          className={classes['movedUp'] ?? ''}
          size="compact-sm"
          radius="xl"
          rightSection={<IconArrowUp size={16} aria-hidden />}
          onClick={showNewestRows}
        >
          {movedUpCount} percakapan terbaru
        </Button>
      ) : null}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the rows are links; this only tells which one was meant */}
      <div ref={scroller} className={classes['scroller']} onKeyDown={onKeyDown} onBlur={onBlur} {...press}>
        <ul className={classes['rows']} style={{ height: virtualizer.getTotalSize() }} aria-label="Percakapan">
          {items.map(({ index, start, key }) => {
            const summary = summaries[index];
            if (!summary) return null;
            const userId = summary.other_user._id;
            const selected = userId === selectedId;
            const tabbable = userId === tabbableId;
            return (
              <li
                key={key}
                className={classes['place']}
                style={{ height: rowPx, transform: `translateY(${start}px)` }}
                aria-setsize={summaries.length}
                aria-posinset={index + 1}
              >
                <ConversationRow
                  summary={summary}
                  currentUserId={currentUserId}
                  search={linkTargetOf(userId).search}
                  selected={selected}
                  beside={!selected && openIds.includes(userId)}
                  checked={selection.isOn ? selection.has(userId) : null}
                  tabbable={tabbable}
                  online={onlineUserIds.has(userId)}
                  {...rowPeople(ephemeralState, userId, currentUserId)}
                  draft={selected ? '' : describeDraft(currentUserId, userId)}
                  hasNoteForMe={notesForMe.some(({ user }) => user.id === userId)}
                />
                <button
                  type="button"
                  className={classes['more']}
                  tabIndex={tabbable ? 0 : -1}
                  aria-haspopup="menu"
                  title="Menu percakapan"
                  onClick={({ currentTarget }) => {
                    const { left, bottom } = currentTarget.getBoundingClientRect();
                    setMenu({ userId, x: left, y: bottom });
                  }}
                >
                  <IconDots size={20} aria-hidden />
                  <VisuallyHidden>Menu percakapan dengan {summary.other_user.name || 'Warga'}</VisuallyHidden>
                </button>
              </li>
            );
          })}
        </ul>
        {children}
      </div>
      <RowMenu
        request={menu}
        onClose={() => {
          setMenu(null);
          if (menu) focusRow(menu.userId);
        }}
        onOpenBeside={onOpenBeside}
        onSelect={(userId) => toggle(userId, false)}
        searchOf={(userId) => linkTargetOf(userId).search}
      />
    </div>
  );
}

type KeyPress = { key: string; altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean };

/** The row to which a key leads from row `index` (-1: from none) of `count`; null for other keys. */
function targetIndexOf(
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress,
  index: number,
  count: number,
): number | null {
  if (altKey || ctrlKey || metaKey || shiftKey || count === 0) return null;
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, last);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
