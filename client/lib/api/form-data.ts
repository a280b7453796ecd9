type FieldValue = string | number | boolean | File | null | undefined;

/** A multipart form. Fields that are null or undefined are left out (docs/requirements.md R-REC-25). */
export function toFormData(fields: Record<string, FieldValue>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    form.append(name, value instanceof File ? value : String(value));
  }
  return form;
}
