import {type Infer, object, strings} from '#wire/schema.ts';
import {eventFields} from './event-fields.ts';

/** Contains the whole list. */
export const alertWordsEvent = object({...eventFields('alert_words'), alert_words: strings});
export type AlertWordsEvent = Infer<typeof alertWordsEvent>;
