import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { mayHoldNumber } from './spt-numbers.ts';

type Props = {
  /** The text of the message. */
  text: string;
  /** The user of the conversation. */
  userId: string;
  /** The record of the card in the message; it is not offered again. */
  shownRecordId: string | null;
};

const loadNamedRecords = async () => (await import('./named-records.tsx')).NamedRecords;

/** Below a message: the cards of the records whose number it names, for those who may see them (R-CARD-15). */
export function NumberOffers(props: Props) {
  return mayHoldNumber(props.text) ? <LazyNamedRecords {...props} /> : null;
}

function LazyNamedRecords(props: Props) {
  const { Component } = useLazyComponent<Props>(loadNamedRecords);
  return Component ? <Component {...props} /> : null;
}
