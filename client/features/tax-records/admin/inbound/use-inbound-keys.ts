import { usePageKeys } from '#client/ui/keys/page-keys.ts';

type Keys = Partial<Record<'Enter' | 'c' | 'x' | 'z' | 'f' | 'ArrowLeft' | 'ArrowRight', () => void>>;

/** The elements that have an action of their own for Enter. */
const ENTER_OWNERS = 'a, button, summary, [role="button"]';

/** The keys of 'Bukti masuk'; see `display/page-key-texts.ts`. A key that is held down counts once: each decision has its own press. */
export function useInboundKeys(keys: Keys): void {
  usePageKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Enter' && event.target instanceof Element && event.target.closest(ENTER_OWNERS)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = Object.hasOwn(keys, name) ? keys[name as keyof Keys] : undefined;
    if (!act) return;
    event.preventDefault();
    if (!event.repeat) act();
  });
}
