import { act, fireEvent, render, screen } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { buildMessage, buildSummary } from '../../testing/build-chat-data.ts';
import { ConversationList } from './conversation-list.tsx';
import { WaitingTime } from './row-marks.tsx';
import { useRowSelection } from './use-row-selection.ts';

const ROW_PX = 72;

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(ROW_PX * 10);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360);
});

const buildSummaries = (count: number) =>
  Array.from({ length: count }, (_, index) => buildSummary(`u${String(index).padStart(4, '0')}`, null));

function renderList(canReadMore = false, { selectedId = null as string | null, rowCount = 5000 } = {}) {
  const onReadMore = vi.fn();
  const onOpen = vi.fn();
  function SelectableList({ summaries }: { summaries: readonly ConversationSummary[] }) {
    const selection = useRowSelection(
      'all',
      summaries.map(({ other_user }) => other_user._id),
    );
    return (
      <>
        <output>{selection.userIds.join(' ')}</output>
        <ConversationList
          summaries={summaries}
          currentUserId="a1"
          selectedId={selectedId}
          openIds={selectedId === null ? [] : [selectedId]}
          opensOnArrow
          linkTargetOf={(userId) => ({ search: `?user=${userId}` })}
          onOpenBeside={() => {}}
          onOpen={onOpen}
          selection={selection}
          canLoadMore={canReadMore}
          onLoadMore={onReadMore}
          handle={{ current: null }}
        />
      </>
    );
  }
  const ui = (summaries: readonly ConversationSummary[]) => (
    <MantineProvider env="test">
      <MemoryRouter>
        <SelectableList summaries={summaries} />
      </MemoryRouter>
    </MantineProvider>
  );
  const allRows = buildSummaries(rowCount);
  const view = render(ui(allRows));
  const scroller = screen.getByRole('list', { name: 'Percakapan' }).parentElement;
  if (!scroller) throw new Error('the list has no scroller');
  const scrollTo = (px: number) => {
    scroller.scrollTop = px;
    fireEvent.scroll(scroller);
  };
  return {
    allRows,
    onOpen,
    onReadMore,
    scroller,
    scrollTo,
    rerenderRows: (rows: typeof allRows) => view.rerender(ui(rows)),
  };
}

const renderedUserIds = () => screen.getAllByRole('link').map(({ dataset }) => dataset['userId']);

it('draws only the visible rows of 5,000 conversations, and announces how many there are', () => {
  const { scrollTo } = renderList();
  expect(renderedUserIds().length).toBeLessThan(30);
  expect(renderedUserIds()[0]).toBe('u0000');
  expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('5000');
  scrollTo(ROW_PX * 3000);
  expect(renderedUserIds().length).toBeLessThan(30);
  expect(renderedUserIds()).toContain('u3005');
  expect(renderedUserIds()).not.toContain('u0000');
});

it('requests the next page shortly before the end of the list', () => {
  const { onReadMore, scrollTo } = renderList(true);
  expect(onReadMore).not.toHaveBeenCalled();
  scrollTo(ROW_PX * 4970);
  expect(onReadMore).toHaveBeenCalled();
});

it('requests no page while loading more is not allowed', () => {
  const { onReadMore, scrollTo } = renderList(false);
  scrollTo(ROW_PX * 4970);
  expect(onReadMore).not.toHaveBeenCalled();
});

it('brings the selected row into view once, also when it comes with a later page', () => {
  const { scroller, rerenderRows } = renderList(true, { selectedId: 'u0055', rowCount: 20 });
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(ROW_PX * 100);
  const scrollTo = vi.fn();
  scroller.scrollTo = scrollTo;
  rerenderRows(buildSummaries(100));
  expect(scrollTo).toHaveBeenCalledTimes(1);
  expect(scrollTo.mock.calls[0]?.[0]).toMatchObject({ top: ROW_PX * 56 - ROW_PX * 10 });
  scrollTo.mockClear();
  rerenderRows(buildSummaries(120));
  expect(scrollTo).not.toHaveBeenCalled();
});

it('keeps the visible rows in place when a user further down writes', () => {
  const { allRows, scroller, scrollTo, rerenderRows } = renderList();
  scrollTo(ROW_PX * 100);
  const moved = allRows[4000];
  if (!moved) throw new Error('no row 4000');
  rerenderRows([moved, ...allRows.filter((row) => row !== moved)]);
  expect(scroller.scrollTop).toBe(ROW_PX * 101);
  // A visible row jumps to the top: the other rows stay.
  const seen = allRows[100];
  if (!seen) throw new Error('no row 100');
  rerenderRows([seen, moved, ...allRows.filter((row) => row !== moved && row !== seen)]);
  expect(scroller.scrollTop).toBe(ROW_PX * 101);
});

describe('while the pointer is over the list', () => {
  /** The list with twelve rows, each with a message; `write` lets a user write, known or not. */
  function renderHeldList() {
    vi.useFakeTimers();
    const list = renderList(false, { rowCount: 0 });
    let rows = Array.from({ length: 12 }, (_, index) =>
      buildSummary(`u${index}`, buildMessage({ number: 100 - index, user_id: `u${index}`, from_admin: false })),
    );
    let lastNumber = 100;
    const update = (next: ConversationSummary[]): void => {
      rows = next;
      list.rerenderRows(rows);
    };
    update(rows);
    const area = list.scroller.parentElement ?? document.body;
    return {
      ...list,
      area,
      update,
      remove: (userId: string) => update(rows.filter(({ other_user }) => other_user._id !== userId)),
      write: (userId: string) => {
        lastNumber += 1;
        const last = buildMessage({
          number: lastNumber,
          user_id: userId,
          content: `Kabar ${userId}`,
          from_admin: false,
        });
        update([
          buildSummary(userId, last, { unread_count: 3 }),
          ...rows.filter(({ other_user }) => other_user._id !== userId),
        ]);
      },
      rowOf: (userId: string) => {
        const row = screen.getAllByRole('link').find(({ dataset }) => dataset['userId'] === userId);
        if (!row) throw new Error(`no row ${userId}`);
        return row;
      },
    };
  }
  const firstThree = () => renderedUserIds().slice(0, 3);
  const chip = () => screen.queryByRole('button', { name: /percakapan terbaru/ });

  it('holds the order, keeps the rows live, and takes over the new order a second after it left', () => {
    const { area, write, rowOf } = renderHeldList();
    fireEvent.pointerEnter(area);
    write('u5');
    write('u7');
    expect(firstThree()).toEqual(['u0', 'u1', 'u2']);
    expect(rowOf('u5').textContent).toContain('Kabar u5');
    expect(rowOf('u5').textContent).toContain('3 pesan belum dibaca');
    expect(chip()?.textContent).toBe('2 percakapan terbaru');
    fireEvent.pointerLeave(area);
    act(() => void vi.advanceTimersByTime(900));
    expect(firstThree()).toEqual(['u0', 'u1', 'u2']);
    act(() => void vi.advanceTimersByTime(200));
    expect(firstThree()).toEqual(['u7', 'u5', 'u0']);
    expect(chip()).toBeNull();
  });

  it('shows the new order on request, and holds that one', () => {
    const { area, write } = renderHeldList();
    fireEvent.pointerEnter(area);
    write('u5');
    const button = chip();
    if (!button) throw new Error('no button');
    fireEvent.click(button);
    expect(firstThree()).toEqual(['u5', 'u0', 'u1']);
    expect(document.activeElement?.getAttribute('data-user-id')).toBe('u5');
    write('u9');
    expect(firstThree()).toEqual(['u5', 'u0', 'u1']);
  });

  it('adds a new conversation at the end, where it moves no other, and removes one of a deleted account', () => {
    const { area, write, remove } = renderHeldList();
    fireEvent.pointerEnter(area);
    write('u99');
    expect(firstThree()).toEqual(['u0', 'u1', 'u2']);
    expect(renderedUserIds().at(-1)).toBe('u99');
    expect(chip()?.textContent).toBe('1 percakapan terbaru');
    remove('u1');
    expect(firstThree()).toEqual(['u0', 'u2', 'u3']);
  });

  it('opens the row on which a press began, although other rows come between press and release', () => {
    const { area, scroller, onOpen, write, rowOf } = renderHeldList();
    fireEvent.pointerEnter(area);
    fireEvent.pointerDown(rowOf('u2'), { clientX: 50, clientY: 200 });
    write('u8');
    write('u99');
    // The release is over another row, so the browser reports the click for what contains both.
    fireEvent.click(scroller, { clientX: 51, clientY: 200, detail: 1 });
    expect(onOpen.mock.calls).toEqual([['u2', 'press']]);
    // A drag is no press.
    fireEvent.pointerDown(rowOf('u2'), { clientX: 50, clientY: 200 });
    fireEvent.click(scroller, { clientX: 50, clientY: 400, detail: 1 });
    expect(onOpen).toHaveBeenCalledTimes(1);
  });

  it('holds the order longer after a touch', () => {
    const { area, write } = renderHeldList();
    fireEvent.pointerEnter(area, { pointerType: 'touch' });
    write('u5');
    fireEvent.pointerLeave(area, { pointerType: 'touch' });
    act(() => void vi.advanceTimersByTime(2900));
    expect(firstThree()).toEqual(['u0', 'u1', 'u2']);
    act(() => void vi.advanceTimersByTime(200));
    expect(firstThree()).toEqual(['u5', 'u0', 'u1']);
  });

  it('holds the order while a row has the focus of the keyboard', () => {
    const { write, rowOf } = renderHeldList();
    // jsdom does not know how an element got its focus.
    const first = rowOf('u0');
    Object.defineProperty(first, 'matches', {
      value: (selector: string) => selector === ':focus-visible' || Element.prototype.matches.call(first, selector),
    });
    act(() => first.focus());
    write('u5');
    expect(firstThree()).toEqual(['u0', 'u1', 'u2']);
    act(() => first.blur());
    act(() => void vi.advanceTimersByTime(1100));
    expect(firstThree()).toEqual(['u5', 'u0', 'u1']);
  });
});

it('stays at the top when the newest row is visible', () => {
  const { allRows, scroller, rerenderRows } = renderList();
  rerenderRows(allRows.toReversed());
  expect(scroller.scrollTop).toBe(0);
});

it('keeps the focused row in the page while it is scrolled out of view', () => {
  const { scrollTo, onOpen } = renderList();
  const first = screen.getAllByRole('link')[0];
  act(() => first?.focus());
  fireEvent.keyDown(first ?? document, { key: 'ArrowDown' });
  expect(onOpen).toHaveBeenLastCalledWith('u0000', 'arrow');
  scrollTo(ROW_PX * 3000);
  expect(renderedUserIds()).toContain('u0000');
});

it('changes the colour of the waiting time after two and ten minutes without a reload', () => {
  vi.useFakeTimers({ now: Date.parse('2026-08-03T02:00:00.000Z') });
  const view = render(<WaitingTime since="2026-08-03T02:00:00.000Z" />);
  const state = () => [
    view.container.querySelector('[data-level]')?.getAttribute('data-level'),
    view.container.textContent,
  ];
  expect(state()).toEqual(['fresh', 'menunggu <1 mntMenunggu balasan kurang dari satu menit']);
  act(() => void vi.advanceTimersByTime(119_000));
  expect(state()[0]).toBe('fresh');
  act(() => void vi.advanceTimersByTime(1000));
  expect(state()).toEqual(['warning', 'menunggu 2 mntMenunggu balasan 2 menit, mulai lama']);
  act(() => void vi.advanceTimersByTime(8 * 60_000));
  expect(state()).toEqual(['critical', 'menunggu 10 mntMenunggu balasan 10 menit, sudah lama']);
  view.unmount();
  expect(vi.getTimerCount()).toBe(0);
});
