import {type Infer, int, nullableInt, nullableText, object, s} from '#wire/schema.ts';

/** A data export that an administrator requested. */
export const dataExport = object({
  id: int,
  acting_user_id: int,
  export_time: s.number(),
  deleted_timestamp: nullableInt,
  failed_timestamp: nullableInt,
  export_url: nullableText,
  pending: s.boolean(),
  export_type: s.string(),
});
export type WireDataExport = Infer<typeof dataExport>;
