import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {conversationRowTitle} from '#state/selectors/names/names.ts';
import {listedConversation} from '#ui/actions/action-target.ts';
import type {App} from '#ui/core/app.ts';
import {undoKeyOffer} from '#ui/core/key-offer.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {openRecordList} from '#ui/forms/record-list.ts';
import {openConversation} from '#ui/navigation/navigation.ts';
import {endSnoozes} from './snooze.ts';
import {openSnoozeMenuFor} from './snooze-menu.ts';
import {changeSnoozes, readSnoozes, showSnoozes} from './snooze-store.ts';
import {returnWhenText, snoozesByDueTime} from './snooze-text.ts';

/** Opens the list of all snoozed conversations, in the order of their return. */
export function openSnoozedList(app: App): void {
  // The inbox may not have been shown yet.
  showSnoozes(app, readSnoozes(app));
  openRecordList(app, {
    id: 'snoozed',
    title: 'Snoozed conversations',
    columns: 76,
    empty: 'Nothing is snoozed.',
    rows: (frame) =>
      snoozesByDueTime(frame).flatMap((entry) => {
        const {account} = frame;
        const unread = account.unreads.conversations.get(entry.key);
        if (unread === undefined) return [];
        const label = conversationRowTitle(account, unread.conversation);
        const detail = `${returnWhenText(frame, entry)} · ${countedNoun(unread.ids.size, 'unread message')}`;
        return [{key: entry.key, label, detail}];
      }),
    actions: [
      {
        key: 'Enter',
        hint: 'open',
        isReadOnly: true,
        run: (from, {key}) => {
          const conversation = conversationOf(from, key);
          if (conversation === undefined) return;
          from.closeOverlay();
          openConversation(from, conversation);
        },
      },
      {
        key: 'Ctrl-T',
        hint: 'change the time',
        isReadOnly: true,
        run: (from, {key}) => {
          const conversation = conversationOf(from, key);
          if (conversation !== undefined) openSnoozeMenuFor(from, [listedConversation(from.state, conversation)]);
        },
      },
      {key: 'Delete', hint: 'wake', isReadOnly: true, run: (from, {key, label}) => wake(from, key, label)},
    ],
  });
}

function conversationOf({state}: App, key: ConversationKey): Conversation | undefined {
  return state.unreads.conversations.get(key)?.conversation;
}

/** Ends a snooze: the conversation is in the inbox again. */
function wake(app: App, key: ConversationKey, title: string): void {
  const before = app.screen.inbox.snoozes.get(key);
  if (before === undefined) return;
  const label = `Ended the snooze of ${title}`;
  const steps = [{kind: 'later', keys: [key], before: [before]} as const];
  app.undoStack.pushRecord({label, at: app.clock.now(), keys: [key], steps});
  changeSnoozes(app, (snoozes) => endSnoozes(snoozes, [key]));
  app.toast(`${label}${undoKeyOffer()}`);
}
