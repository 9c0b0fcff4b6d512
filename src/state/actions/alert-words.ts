import type {ActionHandler} from './reversal.ts';

export interface AlertWordsAction {
  readonly kind: 'alertWords';
  readonly op: 'add' | 'remove';
  readonly words: readonly string[];
}

export const alertWordsHandler: ActionHandler<AlertWordsAction> = {
  /** Words that differ only in case are one word; what goes is spelt as it was, so that it can come back so. */
  effective({alertWords: now}, action) {
    const known = new Map(now.map((word) => [fold(word), word]));
    const asked = new Map(action.words.map((word) => [fold(word), word.trim()]));
    asked.delete('');
    const words = [...asked]
      .filter(([key]) => known.has(key) !== (action.op === 'add'))
      .map(([key, word]) => known.get(key) ?? word);
    return words.length === 0 ? undefined : {...action, words};
  },

  optimisticEvents({alertWords: now}, {op, words}) {
    const gone = new Set(words.map(fold));
    const after = op === 'add' ? [...now, ...words] : now.filter((word) => !gone.has(fold(word)));
    return [{type: 'alert_words', id: -1, alert_words: after}];
  },

  inverse: (_state, action) => ({...action, op: action.op === 'add' ? 'remove' : 'add'}),

  request: (api, {op, words}, signal) =>
    op === 'add'
      ? api.addAlertWords({alert_words: [...words]}, {signal})
      : api.removeAlertWords({alert_words: [...words]}, {signal}),
};

function fold(word: string): string {
  return word.trim().toLowerCase();
}
