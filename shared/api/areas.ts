import { z } from 'zod';
import { AREA_KINDS } from '#shared/domain/dhkp/area-names.ts';
import { cleanName } from '#shared/domain/users/person-name.ts';
import { AREA_NAME_MAX } from '#shared/limits.ts';
import { areaTexts } from '#shared/texts.ts';
import { singleOf } from './envelope.ts';
import { bothIds, expectedUpdatedAt, requiredText, timestamps } from './fields.ts';

/** The parts of a village: dusun, RW and RT (R-DHKP-20). */

/** `parent_id`: an area of a larger kind, or null. */
export const areaBody = z.object({
  name: z
    .string({ error: areaTexts.nameRequired })
    .transform(cleanName)
    .pipe(requiredText(areaTexts.nameRequired, 'Nama wilayah', AREA_NAME_MAX))
    .meta({ type: 'string', minLength: 1, maxLength: AREA_NAME_MAX }),
  kind: z.enum(AREA_KINDS, { error: areaTexts.kindInvalid }),
  parent_id: z.string({ error: areaTexts.parentInvalid }).nullable().default(null),
});
export type AreaBody = z.output<typeof areaBody>;

/** Absent fields stay. */
export const updateAreaBody = areaBody
  .extend({ parent_id: z.string({ error: areaTexts.parentInvalid }).nullable() })
  .partial()
  .extend({ updated_at: expectedUpdatedAt.optional() });
export type UpdateAreaBody = z.output<typeof updateAreaBody>;

const area = z
  .object({
    ...bothIds,
    name: z.string(),
    kind: z.enum(AREA_KINDS),
    parent_id: z.string().nullable(),
    /** With the areas above it: `Krajan / RW 02 / RT 05`. */
    path: z.string(),
    ...timestamps,
  })
  .meta({ id: 'Wilayah' });
export type Area = z.infer<typeof area>;
export const areaAnswer = singleOf(area);
/** Each area before those below it, in the order of their names. */
export const areasAnswer = singleOf(z.array(area));
