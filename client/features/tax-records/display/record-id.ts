const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text from an address can be the id of a record at all (contract 2). */
export function isRecordId(text: string | undefined): text is string {
  return text !== undefined && UUID.test(text);
}
