const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text of the URL has the form of a record id (R-API-5). */
export function isRecordId(text: string | undefined): text is string {
  return text !== undefined && UUID.test(text);
}
