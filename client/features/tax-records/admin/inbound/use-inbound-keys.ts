import { useWindowEvent } from '@mantine/hooks';
import { KEY_OWNERS } from '../list/use-row-keys.ts';

type Keys = Partial<Record<'Enter' | 'x' | 'l' | 'z' | 'f' | 'ArrowLeft' | 'ArrowRight', () => void>>;

/** What a press of Enter already does something with. */
const ENTER_OWNERS = 'a, button, summary, [role="button"]';

/** The keys of 'Bukti masuk'; see `display/inbound-keys.ts`. A key that is held down counts once: each decision has its own press. */
export function useInboundKeys(keys: Keys): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target instanceof Element ? event.target : null;
    // A dialog keeps the keys, also while the focus is on its way there.
    if (target?.closest(KEY_OWNERS) || document.querySelector('[role="dialog"]')) return;
    if (event.key === 'Enter' && target?.closest(ENTER_OWNERS)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = Object.hasOwn(keys, name) ? keys[name as keyof Keys] : undefined;
    if (!act) return;
    event.preventDefault();
    if (!event.repeat) act();
  });
}
