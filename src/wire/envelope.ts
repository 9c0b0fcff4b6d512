import {type Infer, object, openEnum, s, strings} from './schema.ts';

/**
 * What every answer has beside its own fields. `partially_completed` came from batched work on servers below
 * level 211: the request is to be repeated.
 */
export const envelope = object(
  {result: openEnum('success', 'error', 'partially_completed'), msg: s.string()},
  {code: s.string(), ignored_parameters_unsupported: strings},
);
export type Envelope = Infer<typeof envelope>;
