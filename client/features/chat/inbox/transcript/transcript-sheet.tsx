import { detailsWithPrintTime } from '#client/exports/report-document.ts';
import { PaperHead } from '#client/ui/print/paper-head.tsx';
import { PrintSheet } from '#client/ui/print/print-sheet.tsx';
import paper from '#client/ui/print/print.module.css';
import type { Transcript } from '#shared/api/chat/inbox.ts';
import { transcriptText } from '#shared/transcript-text.ts';
import { daysOf, senderOf, timeOf, type transcriptHead } from './transcript-report.ts';
import classes from './transcript-sheet.module.css';

type Props = { transcript: Transcript; head: ReturnType<typeof transcriptHead> };

/** The printed conversation. */
export function TranscriptSheet({ transcript, head }: Props) {
  return (
    <PrintSheet className={paper['numbered']} data-testid="transcript-sheet">
      <PaperHead title={head.title} details={detailsWithPrintTime(head)} />
      {transcript.messages.length === 0 ? <p className={paper['note']}>Tidak ada pesan pada periode ini.</p> : null}
      {daysOf(transcript.messages).map(({ date, heading, messages }) => (
        <section key={date}>
          <h2 className={classes['day']}>{heading}</h2>
          <table className={paper['table']}>
            <thead>
              <tr>
                <th scope="col">Pukul</th>
                <th scope="col">Dari</th>
                <th scope="col">Pesan</th>
              </tr>
            </thead>
            <tbody>
              {messages.map((message) => (
                <tr key={message.id}>
                  <td className={classes['time']}>{timeOf(message)}</td>
                  <td className={classes['from']}>{senderOf(message)}</td>
                  <td className={classes['text']} dir="auto">
                    {transcriptText(message)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </PrintSheet>
  );
}
