type FieldValue = string | number | boolean | File | null | undefined;

/** A form to upload; fields that are null or undefined are left out (specification 5). */
export function toFormData(fields: Record<string, FieldValue>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    form.append(name, value instanceof File ? value : String(value));
  }
  return form;
}
