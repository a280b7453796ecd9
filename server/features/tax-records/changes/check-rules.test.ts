import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckResult, RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import type { VerificationState } from '#shared/domain/tax-records/verification-states.ts';
import { type CheckColumns, presentVerification, unchecked } from '#server/records/verification-state.ts';
import {
  canCheck,
  canUndo,
  columnsAfterChange,
  columnsAfterCheck,
  columnsAfterUndo,
  type RecordAuthor,
  wasMatched,
} from './check-rules.ts';

type Fields = Parameters<typeof columnsAfterChange>[1];
type Row = Fields & CheckColumns;

const identity = { name: 'Siti', address: 'Jl. Melati 1', sptNumber: '33.74.1', year: 2026 };
const unpaid: Fields = {
  ...identity,
  amountSen: 100,
  status: 'belum_lunas',
  dueDate: null,
  paymentDate: null,
  proofFile: null,
};
const BY_OFFICE = { reason: null, byName: 'Sari' };

const BY_NAME = 'Wati';

function change(row: Row | null, fields: Partial<Fields>, by: RecordAuthor, nowMs: number, isUndo = false): Row {
  const after = { ...(row ?? unpaid), ...fields };
  return { ...after, ...columnsAfterChange(row, after, { by, byName: BY_NAME, nowMs, isUndo }) };
}
const create = (by: RecordAuthor, fields: Partial<Fields>): Row => change(null, fields, by, 10);
const check = (row: Row, result: CheckResult, nowMs = 20, payment: Partial<Fields> = {}): Row => ({
  ...row,
  ...payment,
  ...columnsAfterCheck(row, { ...row, ...payment }, { ...BY_OFFICE, result }, nowMs),
});
const stateOf = (row: Row): VerificationState => presentVerification(row).state;

const reported = create('user', { status: 'proses' });
const matched = check(reported, 'matched');
const rejected = check(reported, 'rejected');
const outdated = change(matched, { amountSen: 200 }, 'admin', 30);

describe('the verification of a record', () => {
  it.each<[string, Row, VerificationState]>([
    ['a user created unpaid', create('user', {}), 'none'],
    ['a user created in process', reported, 'pending'],
    ['a user created as paid', create('user', { status: 'lunas' }), 'pending'],
    ['a user created with a proof', create('user', { proofFile: 'a.png' }), 'pending'],
    ['an admin created as paid with a proof', create('admin', { status: 'lunas', proofFile: 'a.png' }), 'none'],
  ])('that %s', (_name, row, state) => expect(stateOf(row)).toBe(state));

  it.each<[string, Row, Partial<Fields>, RecordAuthor, VerificationState]>([
    ['none', create('user', {}), { proofFile: 'a.png' }, 'user', 'pending'],
    ['none', create('user', {}), { amountSen: 5 }, 'user', 'none'],
    ['none', create('admin', { status: 'lunas' }), {}, 'user', 'none'],
    ['none', create('admin', { status: 'lunas' }), { amountSen: 5 }, 'user', 'pending'],
    ['none', create('user', {}), { status: 'lunas' }, 'admin', 'none'],
    ['pending', reported, { status: 'belum_lunas' }, 'user', 'none'],
    ['pending', reported, { status: 'lunas', paymentDate: '2026-01-01' }, 'admin', 'matched'],
    ['pending', create('user', { proofFile: 'a.png' }), { status: 'lunas' }, 'admin', 'matched'],
    ['pending', create('user', { status: 'lunas' }), { paymentDate: '2026-01-01' }, 'admin', 'pending'],
    ['pending', reported, { amountSen: 200 }, 'admin', 'pending'],
    ['rejected', rejected, { status: 'lunas' }, 'admin', 'outdated'],
    ['pending', reported, { status: 'belum_lunas' }, 'admin', 'none'],
    ['matched', matched, {}, 'user', 'matched'],
    ['matched', matched, {}, 'admin', 'matched'],
    ['matched', matched, { dueDate: '2026-01-01' }, 'user', 'pending'],
    ['matched', matched, { status: 'belum_lunas' }, 'user', 'none'],
    ['matched', matched, { name: 'Budi' }, 'user', 'pending'],
    ['matched', matched, { address: 'Jl. Lain 2' }, 'user', 'pending'],
    ['matched', matched, { sptNumber: '33.74.2' }, 'user', 'pending'],
    ['matched', matched, { year: 2025 }, 'user', 'pending'],
    ['matched', matched, { sptNumber: '33.74.2', year: 2025 }, 'admin', 'matched'],
    ['none', create('admin', { status: 'lunas' }), { name: 'Budi' }, 'user', 'pending'],
    ['none', create('admin', { status: 'lunas' }), { year: 2025 }, 'user', 'pending'],
    ['none', create('user', {}), { name: 'Budi' }, 'user', 'none'],
    ['matched', matched, { status: 'belum_lunas' }, 'admin', 'outdated'],
    ['matched', matched, { proofFile: 'b.png' }, 'admin', 'outdated'],
    ['rejected', rejected, { proofFile: 'b.png' }, 'user', 'pending'],
    ['rejected', rejected, { paymentDate: '2026-01-01' }, 'admin', 'outdated'],
    ['outdated', change(matched, { status: 'belum_lunas' }, 'admin', 30), { status: 'lunas' }, 'admin', 'none'],
    ['outdated', change(rejected, { status: 'belum_lunas' }, 'admin', 30), { status: 'lunas' }, 'admin', 'none'],
    ['outdated', outdated, {}, 'admin', 'outdated'],
    ['outdated', outdated, { status: 'lunas' }, 'user', 'pending'],
    ['outdated', outdated, { status: 'belum_lunas' }, 'user', 'none'],
  ])('%s with %o becomes as told when %o is written by the %s', (before, row, fields, by, after) => {
    expect([before, stateOf(row)]).toEqual([before, before]);
    expect(stateOf(change(row, fields, by, 40))).toBe(after);
  });

  it('says when and by whom, and the reason only of a rejection', () => {
    const columns = columnsAfterCheck(reported, reported, { result: 'rejected', reason: 'Buram', byName: 'Sari' }, 20);
    const at = new Date(20).toISOString();
    expect(presentVerification(columns)).toEqual({ state: 'rejected', at, by_name: 'Sari', reason: 'Buram' });
    const withReason = columnsAfterCheck(
      reported,
      reported,
      { result: 'matched', reason: 'Buram', byName: 'Sari' },
      20,
    );
    expect(presentVerification(withReason)).toEqual({ state: 'matched', at, by_name: 'Sari', reason: null });
    expect(withReason.checkReason).toBeNull();
    const again = change({ ...reported, ...columns }, { proofFile: 'b.png' }, 'user', 30);
    expect(presentVerification(again)).toEqual({
      state: 'pending',
      at: new Date(30).toISOString(),
      by_name: null,
      reason: null,
    });
  });

  it('follows the order of events also when the clock is set back', () => {
    const early = check(create('user', { status: 'proses' }), 'matched', 1);
    expect(stateOf(early)).toBe('matched');
    expect(stateOf(change(early, { amountSen: 1 }, 'user', 0))).toBe('pending');
  });
});

describe('an act that changes the payment and checks it', () => {
  const paid = { status: 'lunas', paymentDate: '2026-01-05' } as const;

  it('undoes as one: the report waits again with the status and the date that it had', () => {
    const marked = change(reported, paid, 'admin', 20);
    expect(presentVerification(marked)).toMatchObject({ state: 'matched', by_name: BY_NAME });
    expect({ ...marked, ...columnsAfterUndo(marked) }).toEqual(reported);
    const claimed = create('user', paid);
    const refused = check(claimed, 'rejected', 20, { status: 'belum_lunas', paymentDate: null });
    expect({ ...refused, ...columnsAfterUndo(refused) }).toEqual(claimed);
  });

  it('leaves the payment alone when the undo comes after another change, or when the check changed none', () => {
    const later = change(change(reported, paid, 'admin', 20), { amountSen: 200 }, 'admin', 30);
    expect(columnsAfterUndo(later)).toMatchObject({ ...paid, checkState: 'pending' });
    expect(columnsAfterUndo(matched)).toMatchObject({ status: 'proses', checkState: 'pending' });
  });

  it.each<[string, Row]>([
    ['a claim with a photo', create('user', { ...paid, proofFile: 'a.png' })],
    ['a claim without a photo', create('user', paid)],
    ['a claim without a day', create('user', { status: 'lunas' })],
    ['a report in process', reported],
    ['a match', check(create('user', paid), 'matched')],
    ['a match that paid', change(reported, paid, 'admin', 20)],
    ['a rejection', check(create('user', paid), 'rejected')],
    ['what the office wrote', create('admin', paid)],
  ])('is put back whole by an undo of the next change: %s', (_name, before) => {
    const { status, paymentDate } = before;
    const taken = change(before, { status: 'belum_lunas', paymentDate: null }, 'admin', 40);
    expect(change(taken, { status, paymentDate }, 'admin', 50, true)).toEqual(before);
    // The same act without `undo` is a change of its own.
    expect(stateOf(change(taken, { status, paymentDate }, 'admin', 50))).not.toBe('pending');
  });

  it('stays as it is after an undo of another payment, or after another change', () => {
    const claimed = create('user', paid);
    const taken = change(claimed, { status: 'belum_lunas', paymentDate: null }, 'admin', 20);
    expect(stateOf(change(taken, { ...paid, paymentDate: '2026-01-06' }, 'admin', 30, true))).toBe('none');
    const repriced = change(taken, { amountSen: 7 }, 'admin', 30);
    expect(stateOf(change(repriced, paid, 'admin', 40, true))).toBe('none');
    const both = change(claimed, { status: 'belum_lunas', paymentDate: null, amountSen: 7 }, 'admin', 20);
    expect(stateOf(change(both, paid, 'admin', 30, true))).toBe('none');
  });
});

describe('the undo of a report by its owner', () => {
  const paid = { status: 'lunas', paymentDate: '2026-01-05' } as const;
  const paymentOf = ({ status, paymentDate }: Row) => ({ status, paymentDate });
  const undo = (row: Row, fields: Partial<Fields>): Row => change(row, fields, 'user', 50, true);
  const withPhoto = create('user', { proofFile: 'a.png' });
  const befores: [string, Row][] = [
    ['no report', create('user', {})],
    ['a report in process', reported],
    ['a rejection', rejected],
    ['a rejected photo', check(withPhoto, 'rejected')],
    ['a rejection that took the payment back', check(reported, 'rejected', 20, { status: 'belum_lunas' })],
    ['a match', matched],
    ['a match that an admin changed', outdated],
    ['a report that an admin ended', change(matched, { status: 'belum_lunas' }, 'admin', 30)],
    ['what the office wrote', create('admin', { status: 'proses' })],
  ];

  it.each(befores)('puts back whole what was there: %s', (_name, before) => {
    const report = change(before, paid, 'user', 40);
    expect(stateOf(report)).toBe('pending');
    expect(undo(report, paymentOf(before))).toEqual({ ...before, beforeChange: null });
    // The same act without `undo` is a change of its own.
    const { reportedAt } = change(report, paymentOf(before), 'user', 50);
    expect([null, 50]).toContain(reportedAt);
  });

  it.each(befores.filter(([, { proofFile }]) => proofFile === null))(
    'takes a photo back that came with the report or after it: %s',
    (_name, before) => {
      const back = { ...paymentOf(before), proofFile: null };
      const together = change(before, { ...paid, proofFile: 'b.png' }, 'user', 40);
      expect(undo(together, back)).toEqual({ ...before, beforeChange: null });
      const apart = change(change(before, paid, 'user', 40), { proofFile: 'b.png' }, 'user', 45);
      expect(undo(apart, back)).toEqual({ ...before, beforeChange: null });
      const photoAlone = change(before, { proofFile: 'b.png' }, 'user', 40);
      expect(undo(photoAlone, back)).toEqual({ ...before, beforeChange: null });
    },
  );

  it('reports again where it leaves the photo, or changes anything else', () => {
    const report = change(matched, { ...paid, proofFile: 'b.png' }, 'user', 40);
    const back = { ...paymentOf(matched), proofFile: null };
    expect(stateOf(undo(report, back))).toBe('matched');
    const others = [{ proofFile: 'b.png' }, { proofFile: 'c.png' }, { amountSen: 1 }, { name: 'Budi' }, paid];
    for (const fields of others) expect(stateOf(undo(report, { ...back, ...fields }))).toBe('pending');
  });

  it('reports again after another change, a new check, or a photo that replaced another', () => {
    const report = change(matched, paid, 'user', 40);
    const repriced = change(report, { amountSen: 7 }, 'user', 45);
    expect(undo(repriced, paymentOf(matched)).reportedAt).toBe(50);
    expect(undo(check(report, 'rejected', 45), paymentOf(matched)).reportedAt).toBe(50);
    const photo = check(withPhoto, 'matched');
    const replaced = change(photo, { ...paid, proofFile: 'b.png' }, 'user', 40);
    expect(stateOf(undo(replaced, { ...paymentOf(photo), proofFile: 'a.png' }))).toBe('pending');
  });

  it('does not take back what an admin did, and an admin does not take back a report', () => {
    const written = create('admin', paid);
    const corrected = change(written, { status: 'belum_lunas', paymentDate: null }, 'admin', 20);
    expect(stateOf(undo(corrected, paid))).toBe('pending');
    const report = change(rejected, paid, 'user', 40);
    expect(stateOf(change(report, paymentOf(rejected), 'admin', 50, true))).toBe('pending');
  });

  it('does not count as a match by the office, even where it puts a match back', () => {
    const report = change(matched, paid, 'user', 40);
    const back = undo(report, paymentOf(matched));
    expect([stateOf(report), stateOf(back), wasMatched(report, back)]).toEqual(['pending', 'matched', false]);
    expect(wasMatched(reported, change(reported, paid, 'admin', 20))).toBe(true);
  });
});

/** One thing that happens to a record. */
type Step = { do: 'write'; by: RecordAuthor; fields: Partial<Fields> } | { do: 'matched' | 'rejected' | 'undo' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      by: fc.constantFrom<RecordAuthor>('user', 'admin'),
      fields: fc.record(
        {
          amountSen: fc.constantFrom(1, 2),
          status: fc.constantFrom(...RECORD_STATUSES),
          dueDate: fc.constantFrom(null, '2026-01-01'),
          paymentDate: fc.constantFrom(null, '2026-02-02'),
          proofFile: fc.constantFrom(null, 'a.png'),
          sptNumber: fc.constantFrom('33.74.1', '33.74.2'),
          year: fc.constantFrom(2025, 2026),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('matched' as const, 'rejected' as const, 'undo' as const) }),
  },
);

/** The rules of R-CHECK-3 and R-CHECK-4, read from a list of what happened, without times and columns. */
function naiveModel() {
  type Event = 'reported' | 'officeChanged' | 'officeEnded' | CheckResult;
  let fields = unpaid;
  let events: Event[] = [];
  const lastOf = (...kinds: Event[]): number => events.findLastIndex((event) => kinds.includes(event));
  const report = (): number => (lastOf('officeEnded') > lastOf('reported') ? -1 : lastOf('reported'));
  const isPaid = (): boolean => fields.status !== 'belum_lunas' || fields.proofFile !== null;

  return {
    write(by: RecordAuthor, changed: Partial<Fields>, isNew: boolean): void {
      const comparable = () => JSON.stringify(by === 'user' ? fields : { ...fields, ...identity });
      const before = comparable();
      const wasPending = this.state() === 'pending' && fields.status !== 'lunas';
      fields = { ...fields, ...changed };
      if (!isNew && comparable() === before) return;
      if (by === 'admin' && wasPending && fields.status === 'lunas') {
        events.push('matched');
        return;
      }
      if (by === 'admin' && !isNew) events.push(isPaid() ? 'officeChanged' : 'officeEnded');
      if (by === 'user') events = isPaid() ? [...events, 'reported'] : [];
    },
    hasReport: () => report() >= 0,
    check: (result: CheckResult) => void events.push(result),
    /** @param payment what the row holds again */
    undo(payment: Partial<Fields>): void {
      fields = { ...fields, ...payment };
      events = report() >= 0 ? ['reported'] : [];
    },
    state(): VerificationState {
      const checked = lastOf('matched', 'rejected');
      if (report() > checked) return 'pending';
      const result = events[checked];
      if (result !== 'matched' && result !== 'rejected') return 'none';
      if (report() < 0 && isPaid()) return 'none';
      return lastOf('officeChanged', 'officeEnded') > checked ? 'outdated' : result;
    },
  };
}

it('agrees with a naive reading of any sequence of edits, checks and undos, whatever the clock shows', () => {
  const sequence = fc.array(fc.record({ step: steps, clockMs: fc.integer({ min: 1, max: 50 }) }), {
    minLength: 1,
    maxLength: 25,
  });
  const seen = new Set<VerificationState>();
  fc.assert(
    fc.property(sequence, fc.constantFrom<RecordAuthor>('user', 'admin'), (list, author) => {
      const model = naiveModel();
      let row: Row = { ...unpaid, ...unchecked };
      model.write(author, {}, true);
      for (const { step, clockMs } of list) {
        if (step.do === 'write') {
          model.write(step.by, step.fields, false);
          row = change(row, step.fields, step.by, clockMs);
        } else if (step.do === 'undo') {
          expect(canUndo(row)).toBe(!['none', 'pending'].includes(model.state()));
          if (canUndo(row)) {
            row = { ...row, ...columnsAfterUndo(row) };
            model.undo({ status: row.status, paymentDate: row.paymentDate });
          }
        } else {
          expect(canCheck(row)).toBe(model.hasReport());
          if (canCheck(row)) model.check(step.do);
          if (canCheck(row)) row = check(row, step.do, clockMs);
        }
        expect(stateOf(row)).toBe(model.state());
        seen.add(stateOf(row));
      }
    }),
    { numRuns: 500 },
  );
  expect([...seen].toSorted()).toEqual(['matched', 'none', 'outdated', 'pending', 'rejected']);
});
