/** A call that `client/public/boot.js` made before the code of the client was loaded. */
type EarlyAnswer = { answer: Promise<Response>; abort: () => void };
type EarlyAnswers = { token: string; answers: Map<string, EarlyAnswer>; askedAtMs: number };

/** An answer that no page has asked for by then would be too old. */
const MAX_AGE_MS = 30_000;

const holder = globalThis as { pbbEarlyAnswers?: EarlyAnswers | undefined };

/** Takes the answer to a GET call of a session; each is given out once. */
export function takeEarlyAnswer(url: string, token: string | undefined): EarlyAnswer | undefined {
  const early = holder.pbbEarlyAnswers;
  if (!early) return undefined;
  if (early.token !== token || performance.now() - early.askedAtMs > MAX_AGE_MS) {
    dropEarlyAnswers();
    return undefined;
  }
  const answer = early.answers.get(url);
  early.answers.delete(url);
  return answer;
}

/** After a change, what was asked for before it is out of date. */
export function dropEarlyAnswers(): void {
  holder.pbbEarlyAnswers = undefined;
}
