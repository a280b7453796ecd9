import { z } from 'zod';
import { singleOf } from './envelope.ts';

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Jam harus berbentuk 08:00' });

/** `weekday`: 1 is Monday, 7 Sunday. Both times or none; `close` after `open`. */
const officeDay = z
  .object({ weekday: z.number().int().min(1).max(7), open: timeOfDay.nullable(), close: timeOfDay.nullable() })
  .refine(({ open, close }) => (open === null ? close === null : close !== null && open < close), {
    error: 'Jam tutup harus setelah jam buka',
  });

/** When the office answers (R-OFFICE-1). Times of day and dates are in the server's time zone. */
export const officeHoursSchema = z
  .object({
    days: z.array(officeDay).length(7),
    holidays: z.array(z.object({ date: z.iso.date(), name: z.string().trim().max(100) })).max(200),
    /** The office closed early today. */
    closed_today: z.boolean(),
  })
  .meta({ id: 'JamLayanan' });
export type OfficeHours = z.infer<typeof officeHoursSchema>;
export const officeHoursAnswer = singleOf(officeHoursSchema);

/** Whether the office is open, until when, and when it opens next. Instants are in ISO 8601. */
export const officeStatus = z.object({
  open: z.boolean(),
  until: z.string().nullable(),
  opens_at: z.string().nullable(),
});
export type OfficeStatus = z.infer<typeof officeStatus>;

/** For one's own conversation. */
export const officeAnswer = singleOf(
  officeStatus
    .extend({
      /** Median wait of the last 7 days within the opening hours; null below 20 answers. */
      median_ms: z.number().nullable(),
      /** How many waiting conversations began before one's own; null while one does not wait. */
      ahead: z.number().int().nullable(),
    })
    .meta({ id: 'StatusKantor' }),
);
export type Office = z.infer<typeof officeAnswer>['data'];
