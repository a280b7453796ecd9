import { useQueryClient } from '@tanstack/react-query';
import { failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useDecidedRows } from '#client/ui/list/decisions/use-decided-rows.ts';
import { useDecisionRows } from '#client/ui/list/decisions/use-decision-rows.ts';
import type { Candidate, Match } from '#shared/api/dhkp/linking.ts';
import { linkObject, reloadList, unlinkObject } from '../api.ts';
import { objectLabel } from '../display/assessment-texts.ts';

/** An object with its candidates, named by the id of its assessment. */
export type Pair = Match & { id: string };

/** Links pairs one after the other, and takes a link back. */
export function useLinkMatch(matches: readonly Match[]) {
  const queryClient = useQueryClient();
  const pairs: Pair[] = matches.map((match) => ({ id: match.assessment.id, ...match }));
  const { shown, decide, undo, refuse, clearRefusal, failureOf: refusalOf } = useDecidedRows(pairs);
  const { list, onFocus, focusWhenShown } = useDecisionRows({ rows: shown });

  async function unlink({ id }: Pair): Promise<void> {
    try {
      await unlinkObject(id);
    } catch (error) {
      notify.failure(error, 'Hubungan gagal diputus');
      return reloadList(queryClient);
    }
    notify.info('Hubungan diputus. Data PBB-nya tetap ada.');
    focusWhenShown(id);
    // A list that was read before may still be about to be drawn, and would take the pair away again.
    await reloadList(queryClient);
    undo(id);
  }

  const { submit: link, busy } = useSubmit(async (pair: Pair, { user }: Candidate) => {
    clearRefusal();
    // Pressed before the answer, 'Urungkan' would take back the link before this one.
    notify.hideUndo();
    try {
      await linkObject(pair.id, user.id);
      decide(pair.id);
      notify.undo({
        message: `${objectLabel(pair.assessment)} terhubung dengan ${user.name}. Bila diurungkan, data PBB-nya tetap ada.`,
        onUndo: () => void unlink(pair),
      });
    } catch (error) {
      refuse(pair, failureOf(error, 'Objek gagal dihubungkan'));
    }
    void reloadList(queryClient);
  });

  return { shown, list, onFocus, refusalOf, link, busy };
}
