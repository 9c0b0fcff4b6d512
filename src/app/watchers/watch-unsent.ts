import type {App} from '#app/core/app.ts';
import {isConversationShown} from '#app/panes/other-pane.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {isUndelivered} from '#ui/header/header-line.ts';

/** Failures within this time are reported together. */
const batchMs = 3000;

/**
 * Reports messages that could not be sent, unless their conversation is on screen, where the message itself shows it.
 */
export function watchUnsentMessages(app: App): void {
  let known = new Set(undeliveredEntries(app.state).map(({id}) => id));
  let [reported, reportedAt]: [readonly OutboxEntry[], number] = [[], Number.NEGATIVE_INFINITY];
  const update = () => {
    const before = known;
    const now = undeliveredEntries(app.state);
    known = new Set(now.map(({id}) => id));
    const newlyFailed = now.filter(
      (entry) => !before.has(entry.id) && !isConversationShown(app.screen, entry.conversation),
    );
    if (newlyFailed.length === 0) return;
    const at = app.clock.monotonic();
    reported = at - reportedAt < batchMs ? [...reported, ...newlyFailed] : newlyFailed;
    reportedAt = at;
    app.toast(undeliveredText(app.state, reported), 'error');
  };
  app.onEnd(app.session.cache.subscribe(['outbox'], update));
}

function undeliveredEntries({outbox}: AccountState): readonly OutboxEntry[] {
  return outbox.filter(isUndelivered);
}

/** Returns `Not sent to #web › css: You may not write there. · g o opens the outbox`. */
function undeliveredText(state: AccountState, [first, ...others]: readonly OutboxEntry[]): ToastMessage {
  const hint = 'g o opens the outbox';
  if (first === undefined || others.length > 0) return {text: `${others.length + 1} messages were not sent`, hint};
  const {status, conversation, problem} = first;
  const what = status === 'failed' ? 'Not sent' : 'Perhaps not sent';
  const why = problem === undefined ? '' : `: ${problem}`;
  return {text: composed`${what} to ${conversationTitle(state, conversation)}${why}`, hint};
}
