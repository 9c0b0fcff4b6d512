import {conversationKey} from '#state/model/conversation.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import {shownConversation} from '#ui/core/view.ts';
import {isUndelivered} from '#ui/header/connection-content.ts';

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
    const newlyFailed = now.filter((entry) => !before.has(entry.id) && !isShown(app, entry));
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

function isShown({screen}: App, {conversation}: OutboxEntry): boolean {
  const shown = shownConversation(screen);
  return shown !== undefined && conversationKey(shown) === conversationKey(conversation);
}

/** Returns `Not sent to #web › css: You may not write there. · g o opens the outbox`. */
function undeliveredText(state: AccountState, [first, ...others]: readonly OutboxEntry[]): string {
  if (first === undefined || others.length > 0)
    return `${others.length + 1} messages were not sent · g o opens the outbox`;
  const {status, conversation, problem} = first;
  const what = status === 'failed' ? 'Not sent' : 'Perhaps not sent';
  const why = problem === undefined ? '' : `: ${problem}`;
  return `${what} to ${conversationTitle(state, conversation)}${why} · g o opens the outbox`;
}
