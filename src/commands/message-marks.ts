import type {Message} from '#state/model/message.ts';
import {errorText} from '#std/error-text.ts';
import type {App} from '#ui/core/app.ts';
import {copyMessage, copyText} from '#ui/message-actions/copy-message.ts';
import {toggleCollapsed} from '#ui/message-actions/toggle-collapsed.ts';
import {thumbsUp, toggleReaction} from '#ui/message-actions/toggle-reaction.ts';
import {openVotePicker, widgetIn} from '#ui/message-actions/vote-picker.ts';
import {showInConversation} from '#ui/message-pane/go-to-message.ts';
import {messageUrl} from '#ui/message-pane/message-url.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';
import type {Command} from './command.ts';
import {messageCommand} from './message-command.ts';

function toggleStar(app: App, {id}: Message): void {
  const isStarred = app.state.starred.has(id);
  const op = isStarred ? 'remove' : 'add';
  performUndoable(app, {kind: 'flags', op, flag: 'starred', ids: [id]}, isStarred ? 'Unstarred' : 'Starred');
}

function openInBrowser(app: App, message: Message): void {
  app.device.open(messageUrl(app.state, message)).then(
    (result) => app.toast(result),
    (error: unknown) => app.toast(errorText(error), 'error'),
  );
}

/** Commands that act on the selected message and stay there: star, react, copy, vote. */
export const messageMarkCommands: readonly Command[] = [
  messageCommand('msg.star', 'Star / unstar message', toggleStar, {
    aliases: ['bookmark', 'save', 'favorite'],
    messageMenu: {group: 'react', position: 4},
  }),
  messageCommand('react.thumb', 'React with thumbs up', (app, message) => toggleReaction(app, message, thumbsUp), {
    aliases: ['like', 'upvote'],
    messageMenu: {group: 'react', position: 2},
  }),
  messageCommand(
    'react.first',
    'Add / remove the first reaction',
    (app, message) => {
      const [first] = message.reactions;
      if (first !== undefined) toggleReaction(app, message, first);
    },
    {
      aliases: ['agree', 'same reaction'],
      problem: (_app, {reactions}) => (reactions.length === 0 ? 'No reactions yet' : undefined),
    },
  ),
  messageCommand('msg.collapse', 'Expand / collapse message', toggleCollapsed, {
    aliases: ['expand', 'show more', 'show less', 'fold'],
    messageMenu: {group: 'about', position: 5},
  }),
  messageCommand(
    'msg.copylink',
    'Copy link to message',
    (app, message) => copyText(app, messageUrl(app.state, message), 'a link to the message'),
    {aliases: ['permalink', 'share link'], messageMenu: {group: 'open', position: 4}},
  ),
  messageCommand('msg.copytext', 'Copy message text; press again for Markdown', copyMessage, {
    aliases: ['copy', 'yank'],
    messageMenu: {group: 'open', position: 3},
  }),
  messageCommand('msg.browser', 'Open message in the browser', openInBrowser, {
    aliases: ['web', 'browser'],
    messageMenu: {group: 'open', position: 5},
  }),
  messageCommand('msg.zoom', 'Show message in its conversation', showInConversation, {
    aliases: ['context', 'go to conversation'],
    messageMenu: {group: 'about', position: 4},
  }),
  messageCommand('msg.vote', 'Vote in poll or tick tasks', openVotePicker, {
    aliases: ['vote', 'answer poll', 'check task', 'todo'],
    messageMenu: {group: 'react', position: 3, isHiddenWhenDisabled: true},
    isChange: true,
    problem: (_app, message) =>
      widgetIn(message) === undefined ? 'This message has no poll or to-do list' : undefined,
  }),
];
