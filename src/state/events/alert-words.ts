import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {AccountState} from '#state/state.ts';
import type {AlertWordsEvent} from '#wire/events/alert-words.ts';

export function applyAlertWords(state: AccountState, event: AlertWordsEvent): AccountState {
  return withSlices(state, {alertWords: keepIfEqual(state.alertWords, event.alert_words)});
}
