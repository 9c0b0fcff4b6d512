import {conversationOf} from '#state/messages/messages.ts';
import {type Conversation, directConversation} from '#state/model/conversation.ts';
import {channelNarrow, conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {channelName, conversationTitle} from '#state/selectors/names.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from './app.ts';
import {focusedList} from './lists/focused-list.ts';
import type {RowTarget} from './lists/list-row.ts';
import {chosenRows} from './lists/listing.ts';
import {channelOf, shownConversation} from './navigation.ts';
import {selectedMessage} from './timeline/selection.ts';

/** What verbs such as done, mute and follow are about. */
export type Subject =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'channel'; readonly channelId: number};

/** The selected rows of the list with the keys, or its row with the cursor; among messages, their conversation. */
export function subjectsOf(app: App): readonly Subject[] {
  const id = focusedList(app.screen);
  if (id !== undefined) {
    return chosenRows(app.frame, id).flatMap(({target}) =>
      target === undefined ? [] : subjectOf(app.state, target),
    );
  }
  const conversation = conversationAtHand(app);
  return conversation === undefined ? [] : [{kind: 'conversation', conversation}];
}

/** The conversation that is shown whole, or else that of the selected message. */
export function conversationAtHand(app: App): Conversation | undefined {
  const shown = shownConversation(app.screen);
  if (shown !== undefined) return shown;
  const message = selectedMessage(app);
  return message === undefined ? undefined : conversationOf(message);
}

/** The channel of the row or of the message at hand, or of what is shown. */
export function channelAtHand(app: App): number | undefined {
  const id = focusedList(app.screen);
  const [subject] = id === undefined ? [] : subjectsOf(app);
  if (subject?.kind === 'channel') return subject.channelId;
  const conversation = subject?.conversation ?? (id === undefined ? conversationAtHand(app) : undefined);
  return conversation?.kind === 'topic' ? conversation.channelId : channelOf(app.screen.view);
}

function subjectOf({self}: AccountState, target: RowTarget): readonly Subject[] {
  switch (target.kind) {
    case 'conversation':
    case 'channel':
      return [target];
    case 'person':
      return [{kind: 'conversation', conversation: directConversation([target.userId], self.userId)}];
    case 'view': {
      const channelId = channelOf(target.view);
      return channelId === undefined ? [] : [{kind: 'channel', channelId}];
    }
  }
}

export function subjectNarrow(subject: Subject): Narrow {
  return subject.kind === 'channel'
    ? channelNarrow(subject.channelId)
    : conversationNarrow(subject.conversation);
}

/** What they are called together: one by its name, several by their number. */
export function subjectsTitle(state: AccountState, subjects: readonly Subject[]): string {
  const [first] = subjects;
  if (subjects.length !== 1 || first === undefined) return `${subjects.length} conversations`;
  return first.kind === 'channel'
    ? `#${channelName(state, first.channelId)}`
    : conversationTitle(state, first.conversation);
}
