import {isUndelivered} from '#app/chrome/connection-text.ts';
import type {App} from '#app/core/app.ts';
import {shownConversation} from '#app/core/view.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';

/** What fails so soon after each other is of one moment, and is told together. */
const momentMs = 3000;

/** What could not be sent is told to whoever has gone on meanwhile; where it was written, it stands among the messages. */
export function watchUnsentMessages(app: App): void {
  let known = new Set(undeliveredEntries(app.state).map(({id}) => id));
  let [told, toldAt]: [readonly OutboxEntry[], number] = [[], 0];
  const look = () => {
    const before = known;
    const now = undeliveredEntries(app.state);
    known = new Set(now.map(({id}) => id));
    const news = now.filter((entry) => !before.has(entry.id) && !isShown(app, entry));
    if (news.length === 0) return;
    const at = app.clock.now();
    told = at - toldAt < momentMs ? [...told, ...news] : news;
    toldAt = at;
    app.toast(undeliveredText(app.state, told), 'error');
  };
  app.onEnd(app.session.cache.subscribe(['outbox'], look));
}

function undeliveredEntries({outbox}: AccountState): readonly OutboxEntry[] {
  return outbox.filter(isUndelivered);
}

function isShown({screen}: App, {conversation}: OutboxEntry): boolean {
  const shown = shownConversation(screen);
  return shown !== undefined && conversationKey(shown) === conversationKey(conversation);
}

/** `Not sent to #web › css: You may not write there. · g o shows it` */
function undeliveredText(state: AccountState, [first, ...others]: readonly OutboxEntry[]): string {
  if (first === undefined || others.length > 0)
    return `${others.length + 1} messages were not sent · g o shows them`;
  const {status, conversation, problem} = first;
  const what = status === 'failed' ? 'Not sent' : 'Perhaps not sent';
  const why = problem === undefined ? '' : `: ${problem}`;
  return `${what} to ${conversationTitle(state, conversation)}${why} · g o shows it`;
}
