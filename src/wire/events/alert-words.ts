import {type Infer, object, strings} from '#wire/schema.ts';
import {typed} from './event-fields.ts';

/** The whole list. */
export const alertWordsEvent = object({...typed('alert_words'), alert_words: strings});
export type AlertWordsEvent = Infer<typeof alertWordsEvent>;
