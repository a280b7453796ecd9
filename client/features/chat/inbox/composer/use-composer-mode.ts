import { useAtom } from 'jotai';
import type { DraftMode } from '../../session/drafts.ts';
import { composerModesAtom } from '../../session/state.ts';

export function useComposerMode(userId: string): [mode: DraftMode, setMode: (mode: DraftMode) => void] {
  const [modes, setModes] = useAtom(composerModesAtom);
  return [modes[userId] ?? 'answer', (mode) => setModes((known) => ({ ...known, [userId]: mode }))];
}
