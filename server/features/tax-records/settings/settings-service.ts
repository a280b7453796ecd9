import type { RecordSettings, RecordSettingsBody } from '#shared/api/tax-records/record-settings.ts';
import { openYearBounds } from '#shared/domain/tax-records/open-years.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { fieldTexts } from '#shared/texts.ts';
import { invalid } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { readRecordSettings, saveRecordSettings } from '#server/records/record-settings-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** The tax years that users may enter, and what a new year does (R-YEAR-12). @param onChange called after each save */
export function createRecordSettings(context: ServiceContext, onChange: () => Promise<void>) {
  const { orm, write, policy, audit, now, timeZone } = context;

  return {
    current: async (): Promise<RecordSettings> => readRecordSettings(orm),

    /** Absent fields stay. @throws 401, 403, 422 when a year is not from 2020 to next year */
    async save(currentUser: CurrentUser, body: RecordSettingsBody): Promise<RecordSettings> {
      const { first, last } = openYearBounds(todayIn(timeZone, now()));
      if (body.user_years?.some((year) => year < first || year > last)) {
        throw invalid('user_years', fieldTexts.taxYearsInvalid);
      }
      const saved = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const before = await readRecordSettings(tx);
        const after: RecordSettings = {
          user_years: body.user_years?.toSorted((a, b) => b - a) ?? before.user_years,
          rollover: body.rollover ?? before.rollover,
        };
        await saveRecordSettings(tx, after, now());
        await audit.recordSettingsChanged(tx, currentUser, before, after);
        return after;
      });
      await onChange();
      return saved;
    },
  };
}
export type RecordSettingsService = ReturnType<typeof createRecordSettings>;
