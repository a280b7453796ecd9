import { render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { NoticePlace } from './notice-place.tsx';

it('publishes its height, so that the page below can use the rest of the window', () => {
  const measured: (() => void)[] = [];
  class FakeResizeObserver {
    constructor(measure: () => void) {
      measured.push(measure);
    }
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', FakeResizeObserver);
  const { unmount } = render(<NoticePlace isFullBleed>Cadangan diunduh</NoticePlace>);
  for (const measure of measured) measure();
  const height = () => document.documentElement.style.getPropertyValue('--notice-height');
  expect(height()).toBe('0px');
  unmount();
  expect(height()).toBe('');
});
