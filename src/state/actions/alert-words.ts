import type {ActionHandler} from './action-handler.ts';

export interface AlertWordsAction {
  readonly kind: 'alertWords';
  readonly op: 'add' | 'remove';
  readonly words: readonly string[];
}

export const alertWordsHandler: ActionHandler<AlertWordsAction> = {
  /** Words that differ only in case are equal; a removed word keeps its spelling for undo. */
  effective({alertWords: current}, action) {
    const known = new Map(current.map((word) => [fold(word), word]));
    const requested = new Map(action.words.map((word) => [fold(word), word.trim()]));
    requested.delete('');
    const words = [...requested]
      .filter(([key]) => known.has(key) !== (action.op === 'add'))
      .map(([key, word]) => known.get(key) ?? word);
    return words.length === 0 ? undefined : {...action, words};
  },

  optimisticEvents({alertWords: current}, {op, words}) {
    const removed = new Set(words.map(fold));
    const after = op === 'add' ? [...current, ...words] : current.filter((word) => !removed.has(fold(word)));
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
