import {changeProblem} from '#app/asking.ts';
import {showSource} from '#app/compose/message-edit.ts';
import type {App} from '#app/core/app.ts';
import {askToDelete, deleteProblem} from '#app/message-actions/deleting.ts';
import {fileProblem, openFilePicker} from '#app/message-actions/file-picker.ts';
import {openHistory} from '#app/message-actions/history-card.ts';
import {linkProblem, openLinkPicker} from '#app/message-actions/link-picker.ts';
import {type ActionEntry, openMessageMenu} from '#app/message-actions/message-menu.ts';
import {moveProblem, openMove} from '#app/message-actions/moving.ts';
import {openReactionPicker} from '#app/message-actions/reaction-picker.ts';
import {openReceipts} from '#app/message-actions/receipts-card.ts';
import {openReminders, remindProblem} from '#app/message-actions/reminding.ts';
import {resolveProblem, toggleResolved} from '#app/message-actions/resolving.ts';
import {selectedMessage} from '#app/timeline/selection.ts';
import type {Message} from '#state/model/message.ts';
import type {Permission} from '#state/selectors/holds.ts';
import {userName} from '#state/selectors/names.ts';
import {canReadReceipts, canSeeHistory} from '#state/selectors/organization-permissions.ts';
import type {Command, CommandDesk} from './command.ts';
import {contextsOf} from './contexts.ts';
import {keysOf} from './keymap.ts';
import {onMessage} from './on-message.ts';

/** Everything about a message, what one reaches for most first. */
const menuGroups: readonly (readonly string[])[] = [
  ['reply', 'quote', 'reply.mention', 'reply.dm', 'forward'],
  ['react.picker', 'react.thumb', 'msg.vote', 'msg.star', 'msg.remind', 'mark.unread'],
  ['links.open', 'msg.image', 'msg.copytext', 'msg.copylink', 'msg.browser', 'msg.source'],
  ['user.card', 'msg.receipts', 'msg.history', 'msg.zoom', 'msg.collapse'],
  ['msg.edit', 'msg.move', 'topic.resolve', 'msg.delete'],
];

function openActions(app: App, {senderId, senderName}: Message, desk: CommandDesk): void {
  openMessageMenu(app, {
    title: `Message of ${userName(app.state, senderId, senderName)}`,
    groups: menuGroups.map((ids) => ids.flatMap((id) => entryOf(app, id, desk))),
    run: (from, id) => desk.run(from, id),
  });
}

/** Few messages are polls: the others do not say that they are none. */
const onlyWhenPossible: ReadonlySet<string> = new Set(['msg.vote']);

function entryOf(app: App, id: string, {commands, keymap}: CommandDesk): readonly ActionEntry[] {
  const command = commands.get(id);
  if (command === undefined) return [];
  const disabled = command.disabledReason?.(app);
  if (disabled !== undefined && onlyWhenPossible.has(id)) return [];
  const [key] = [...keysOf(keymap, id, contextsOf(app.screen))].filter((name) => name !== 'Enter');
  return [{id, title: command.title, key, disabled}];
}

const reasonOf = (permission: Permission) => (permission.ok ? undefined : permission.reason);

export const messageActionCommands: readonly Command[] = [
  {
    ...onMessage('msg.actions', 'Everything that can be done with the message', () => {}, {hint: 'more'}),
    run: (app, _press, desk) => {
      const message = selectedMessage(app);
      if (message !== undefined) openActions(app, message, desk);
    },
  },
  onMessage('react.picker', 'React with an emoji', (app, message) => openReactionPicker(app, message), {
    isChange: true,
    hint: 'react',
  }),
  onMessage('links.open', 'Follow a link, a topic or a person of the message', openLinkPicker, {
    problem: linkProblem,
    hint: 'links',
  }),
  onMessage('msg.image', 'Open or save a picture or a file', openFilePicker, {problem: fileProblem}),
  onMessage('msg.receipts', 'Who has read it', openReceipts, {
    problem: (app) => reasonOf(canReadReceipts(app.state)),
  }),
  onMessage('msg.history', 'What it said before, and where it was', openHistory, {
    problem: (app) => reasonOf(canSeeHistory(app.state)),
  }),
  onMessage('msg.source', 'The Markdown that it was written in', (app, message) => showSource(app, message)),
  onMessage(
    'msg.move',
    'Move the message or its topic',
    (app, message) => {
      if (message.kind === 'channel') openMove(app, message);
    },
    {problem: moveProblem, isChange: true},
  ),
  onMessage('msg.remind', 'Remind me of the message', openReminders, {
    problem: remindProblem,
    isChange: true,
  }),
  onMessage('msg.delete', 'Delete the message', askToDelete, {problem: deleteProblem, isChange: true}),
  {
    id: 'topic.resolve',
    title: 'Mark the topic as resolved, or take it up again',
    contexts: ['nav'],
    disabledReason: (app) => changeProblem(app) ?? resolveProblem(app),
    run: toggleResolved,
  },
];
