import { useRef } from 'react';
import { useRowKeys } from '#client/ui/list/rows/use-row-keys.ts';
import { AssessmentCards } from './assessment-cards.tsx';
import { AssessmentTable, type RowsProps } from './assessment-table.tsx';

/** One page of the objects that match the filter. `display/list-keys.ts` lists its keys. */
export function AssessmentList({ isWide, ...props }: RowsProps & { isWide: boolean }) {
  const list = useRef<HTMLDivElement>(null);
  useRowKeys({ list, rows: props.assessments, selection: props.selection });
  const Rows = isWide ? AssessmentTable : AssessmentCards;
  return (
    <div ref={list} data-object-list>
      <Rows {...props} />
    </div>
  );
}
