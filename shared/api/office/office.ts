import { z } from 'zod';
import { officeDayError, officeTexts } from '#shared/domain/office/office-days.ts';
import { HOLIDAY_NAME_MAX, HOLIDAYS_MAX } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { singleOf } from '../envelope.ts';
import { flag, isDate, timeOfDay } from '../fields.ts';

const openingTime = timeOfDay(officeTexts.timeInvalid).nullable();

const weekday = z.number({ error: officeTexts.daysIncomplete }).int().min(1).max(7);

/** Both times or none; `close` after `open`. */
const officeDays = z
  .array(z.object({ weekday, open: openingTime, close: openingTime }), { error: officeTexts.daysIncomplete })
  .superRefine((days, context) => {
    const message =
      new Set(days.map((day) => day.weekday)).size === 7 && days.length === 7
        ? days.map(officeDayError).find((text) => text !== null)
        : officeTexts.daysIncomplete;
    if (message) context.addIssue({ code: 'custom', message });
  });

const holidays = z
  .array(
    z.object({
      date: z.string({ error: officeTexts.holidayInvalid }).refine(isDate, { error: officeTexts.holidayInvalid }),
      name: z
        .string({ error: fieldTexts.required('Nama hari libur') })
        .trim()
        .max(HOLIDAY_NAME_MAX, { error: fieldTexts.tooLong('Nama hari libur', HOLIDAY_NAME_MAX) }),
    }),
    { error: officeTexts.holidayInvalid },
  )
  .max(HOLIDAYS_MAX, { error: officeTexts.holidaysTooMany })
  .superRefine((list, context) => {
    const dates = list.map(({ date }) => date);
    const twice = dates.find((date, index) => dates.indexOf(date) < index);
    if (twice) context.addIssue({ code: 'custom', message: officeTexts.holidayTwice(twice) });
  });

export const officeHoursBody = z.object({
  days: officeDays,
  holidays,
  /** The office closed early today; for the rest of the day. */
  closed_today: flag,
});

/** Seven, from Monday (1) to Sunday (7). */
const storedDays = z.array(
  z.object({ weekday: z.number().int(), open: z.string().nullable(), close: z.string().nullable() }),
);

/** When the office answers (R-OFFICE-1). Times of day and dates are in the server's time zone. */
export const officeHoursAnswer = singleOf(
  z
    .object({
      days: storedDays,
      /** In the order of their dates. */
      holidays: z.array(z.object({ date: z.string(), name: z.string() })),
      closed_today: z.boolean(),
    })
    .meta({ id: 'JamLayanan' }),
);
export type OfficeHours = z.infer<typeof officeHoursAnswer>['data'];

/** Whether the office is open, until when, and when it opens next. Instants are in ISO 8601. */
const officeStatus = z.object({
  open: z.boolean(),
  /** Null while it is closed, and when no hours were ever set. */
  until: z.string().nullable(),
  /** Null while it is open, and when it never opens. */
  opens_at: z.string().nullable(),
});
export type OfficeStatus = z.infer<typeof officeStatus>;

/** The state that users get when it changes. */
export type OfficeState = OfficeStatus & { user_years: number[] };

/** The part that everybody may read, also without a session (R-OFFICE-10). */
export const publicOfficeAnswer = singleOf(
  officeStatus
    .extend({
      /** Null before an admin set hours. */
      days: storedDays.nullable(),
    })
    .meta({ id: 'JamLayananUmum' }),
);
export type PublicOffice = z.infer<typeof publicOfficeAnswer>['data'];

/** For one's own conversation. */
export const officeAnswer = singleOf(
  officeStatus
    .extend({
      /** Median wait of the last 7 days within the opening hours; null below 20 answers. */
      median_ms: z.number().nullable(),
      /** The number of waiting conversations that began before one's own; null while one does not wait. */
      ahead: z.number().int().nullable(),
      /** The tax years that users may enter, newest first (R-YEAR-12). */
      user_years: z.array(z.number().int()),
      /** Whether any admin is connected. */
      admin_online: z.boolean(),
      /** Whether at most three conversations wait at all: for a user who does not wait yet. */
      few_waiting: z.boolean(),
    })
    .meta({ id: 'StatusKantor' }),
);
export type Office = z.infer<typeof officeAnswer>['data'];
