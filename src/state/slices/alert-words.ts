import {keepIfEqual} from '#state/model/immutable-updates.ts';
import {listDecoder, savedJson, stringDecoder} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export const alertWords: Slice<readonly string[], 'alert_words'> = {
  initial: [],
  registered: fromSnapshot(['alert_words'], ({alert_words = []}) => alert_words),
  saved: savedJson(listDecoder(stringDecoder)),
  appliers: {
    alert_words: (before, event) => keepIfEqual(before, event.alert_words),
  },
};
