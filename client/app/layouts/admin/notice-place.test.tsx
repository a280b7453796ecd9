import { render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { NoticePlace } from './notice-place.tsx';

it('publishes its height, so that the page below can use the rest of the window', async () => {
  const changes: (() => void)[] = [];
  class FakeResizeObserver {
    constructor(onChange: () => void) {
      changes.push(onChange);
    }
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', FakeResizeObserver);
  const offsetHeight = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
  const { unmount } = render(<NoticePlace isFullBleed>Cadangan diunduh</NoticePlace>);
  const height = () => document.documentElement.style.getPropertyValue('--notice-height');
  expect(height()).toBe('40px');
  offsetHeight.mockReturnValue(80);
  for (const change of changes) change();
  await expect.poll(height).toBe('80px');
  unmount();
  expect(height()).toBe('');
});
