import { act, fireEvent, render, screen } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { buildSummary } from '../../testing/build.ts';
import { ConversationList } from './conversation-list.tsx';
import { WaitingTime } from './waiting-time.tsx';

const ROW_PX = 86;

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(ROW_PX * 10);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360);
});
afterEach(() => vi.restoreAllMocks());

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => buildSummary(`u${String(index).padStart(4, '0')}`, null));

function draw(canReadMore = false) {
  const onReadMore = vi.fn();
  const onOpen = vi.fn();
  const ui = (summaries: readonly ConversationSummary[]) => (
    <MantineProvider env="test">
      <MemoryRouter>
        <ConversationList
          summaries={summaries}
          selfId="a1"
          selectedId={null}
          opensOnArrow
          toOf={(userId) => ({ search: `?user=${userId}` })}
          onOpen={onOpen}
          canReadMore={canReadMore}
          onReadMore={onReadMore}
          handle={{ current: null }}
        />
      </MemoryRouter>
    </MantineProvider>
  );
  const five = people(5000);
  const view = render(ui(five));
  const scroller = screen.getByRole('list', { name: 'Percakapan' }).parentElement;
  if (!scroller) throw new Error('the list has no scroller');
  const scrollTo = (px: number) => {
    scroller.scrollTop = px;
    fireEvent.scroll(scroller);
  };
  return { five, onOpen, onReadMore, scroller, scrollTo, redraw: (rows: typeof five) => view.rerender(ui(rows)) };
}

const rows = () => screen.getAllByRole('link').map(({ dataset }) => dataset['userId']);

it('draws only what is in view of 5,000 conversations, and says how many there are', () => {
  const { scrollTo } = draw();
  expect(rows().length).toBeLessThan(30);
  expect(rows()[0]).toBe('u0000');
  expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('5000');
  scrollTo(ROW_PX * 3000);
  expect(rows().length).toBeLessThan(30);
  expect(rows()).toContain('u3005');
  expect(rows()).not.toContain('u0000');
});

it('asks for more shortly before the end', () => {
  const { onReadMore, scrollTo } = draw(true);
  expect(onReadMore).not.toHaveBeenCalled();
  scrollTo(ROW_PX * 4970);
  expect(onReadMore).toHaveBeenCalled();
});

it('does not ask for more while it may not', () => {
  const { onReadMore, scrollTo } = draw(false);
  scrollTo(ROW_PX * 4970);
  expect(onReadMore).not.toHaveBeenCalled();
});

it('keeps what is looked at in place when somebody further down writes', () => {
  const { five, scroller, scrollTo, redraw } = draw();
  scrollTo(ROW_PX * 100);
  const moved = five[4000];
  if (!moved) throw new Error('no row 4000');
  redraw([moved, ...five.filter((row) => row !== moved)]);
  expect(scroller.scrollTop).toBe(ROW_PX * 101);
  // One of those on the screen jumps to the top: the others stay.
  const seen = five[100];
  if (!seen) throw new Error('no row 100');
  redraw([seen, moved, ...five.filter((row) => row !== moved && row !== seen)]);
  expect(scroller.scrollTop).toBe(ROW_PX * 101);
});

it('stays at the top where somebody looks at the newest', () => {
  const { five, scroller, redraw } = draw();
  redraw(five.toReversed());
  expect(scroller.scrollTop).toBe(0);
});

it('keeps the row that has the focus while it is scrolled out of sight', () => {
  const { scrollTo, onOpen } = draw();
  const first = screen.getAllByRole('link')[0];
  act(() => first?.focus());
  fireEvent.keyDown(first ?? document, { key: 'ArrowDown' });
  expect(onOpen).toHaveBeenLastCalledWith('u0000', 'arrow');
  scrollTo(ROW_PX * 3000);
  expect(rows()).toContain('u0000');
});

it('colours the waiting time after two and ten minutes, while one looks on', () => {
  vi.useFakeTimers({ now: Date.parse('2026-08-03T02:00:00.000Z') });
  const view = render(<WaitingTime since="2026-08-03T02:00:00.000Z" />);
  const state = () => [
    view.container.querySelector('[data-level]')?.getAttribute('data-level'),
    view.container.textContent,
  ];
  expect(state()).toEqual(['fresh', '<1 mntMenunggu balasan kurang dari satu menit']);
  act(() => void vi.advanceTimersByTime(119_000));
  expect(state()[0]).toBe('fresh');
  act(() => void vi.advanceTimersByTime(1000));
  expect(state()).toEqual(['late', '2 mntMenunggu balasan 2 menit']);
  act(() => void vi.advanceTimersByTime(8 * 60_000));
  expect(state()).toEqual(['overdue', '10 mntMenunggu balasan 10 menit']);
  view.unmount();
  expect(vi.getTimerCount()).toBe(0);
});
