/** A draft with the beginning of a question; what was typed before stays, and the same question stands there once. */
export function addQuestion(draft: string, question: string): string {
  const typed = draft.trimEnd();
  if (typed === '') return question;
  return typed.includes(question.trimEnd()) ? draft : `${typed}\n${question}`;
}
