import type { RefObject } from 'react';
import { useToastPlace } from '#client/ui/feedback/use-toast-place.ts';

/** A toast with its distances, in pixels. */
const TOAST_WIDTH = 480;
const HEADING_HEIGHT = 64;

/**
 * The buttons of a decision stand where toasts usually do. Here they stand at the right of the title and the links, and where there
 * is no space, between the links and the record, which makes room for them.
 */
export function useInboundToasts(links: RefObject<HTMLElement | null>): void {
  useToastPlace(() => {
    const nav = links.current;
    if (!nav) return null;
    const { top, bottom, right } = nav.getBoundingClientRect();
    // After a decision the page is at its top.
    const scrolled = window.scrollY;
    const free = right - (nav.lastElementChild?.getBoundingClientRect().right ?? right);
    if (free < TOAST_WIDTH) return { top: bottom + scrolled, right: window.innerWidth - right, name: 'above-record' };
    return { top: top + scrolled - HEADING_HEIGHT, right: window.innerWidth - right - 16, name: 'beside-title' };
  });
}
